#!/usr/bin/env bash
# For a change that moves the version which the contract pins, or which the baseline calls accepted: can we take it?
#
#   BASE  the commit before the change
#   OUT   default bump: a folder for each version that moved, with the answer, the drift and the reports of both runs
#
# The exit code is that of can-i-bump. What the programs' schemas say is part of its answer, and evidence. A baseline
# that is not true ends it before anything is asked, with 1, also if no version moved.
set -euo pipefail
# shellcheck source=ci/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

BASE="${BASE:-}"
OUT="${OUT:-bump}"

# give_up CODE MESSAGE: end without an answer.
give_up() {
  mark error "$(kind "$1")" "$2"
  finish "$1"
}

# before COMMAND FILE: the version that a file named before the change; nothing if there was no such file.
before() {
  if git cat-file -e "$BASE:./$2" 2>/dev/null; then
    git show "$BASE:./$2" | read_data "$1"
  fi
}

# after WORD: the version that a word means with the change; so the contract and its baseline are checked as well.
after() {
  code=0
  "$HIVE_GATE" matrix --plan --contract "$CONTRACT" -- "$1" >"$scratch/plan.json" 2>"$scratch/why" || code=$?
  if ((code)); then
    inert cat "$scratch/why"
    give_up "$code" "$(reason "$scratch/why")"
  fi
  now="$(read_data versions "$scratch/plan.json")"
}

# answer OLD NEW FOLDER: ask, tell and keep the evidence; sets `code`.
answer() {
  local old=$1 new=$2 folder=$3 form drifted=0
  local ask=("$HIVE_GATE" can-i-bump "$new" --from "$old" --contract "$CONTRACT")
  mkdir -p "$folder"
  code=0
  "${ask[@]}" --format github --out "$folder/answer.github.md" 2>"$scratch/why" || code=$?
  inert cat "$scratch/why"
  case $code in
    0) mark notice "codex $new can be taken" "the contract holds on it, but for what the baseline accepts" ;;
    1) mark error "$(kind 1)" "$(reason "$scratch/why")" ;;
    3) mark error "$(kind 3)" "network or start, no drift: $(reason "$scratch/why")" ;;
    *) give_up "$code" "$(reason "$scratch/why")" ;;
  esac
  if ((code != 3)) || [[ -f $folder/answer.github.md ]]; then
    inert cat "$folder/answer.github.md"
    summarize <"$folder/answer.github.md"
  fi
  if ((code == 3)); then
    return
  fi

  # Both were judged: what follows comes from the cache.
  local forms=(json html)
  if [[ -n ${GITHUB_ACTIONS:-} ]]; then
    "${ask[@]}" --format annotations 2>/dev/null || true
  else
    forms+=(junit)
  fi
  for form in "${forms[@]}"; do
    "${ask[@]}" --format "$form" --out "$folder/answer.${form/junit/xml}" 2>/dev/null || true
  done
  "$HIVE_GATE" matrix --out "$folder/matrix" --contract "$CONTRACT" -- "$old" "$new" >/dev/null 2>&1 || true

  "$HIVE_GATE" drift --from "$old" --to "$new" --contract "$CONTRACT" --format json --out "$folder/drift.json" \
    2>"$scratch/why" || drifted=$?
  inert cat "$scratch/why"
  case $drifted in
    0) ;;
    1) mark warning 'schema drift' "$(reason "$scratch/why")" ;;
    *) mark warning 'the schemas could not be compared' "$(reason "$scratch/why")" ;;
  esac
}

if [[ -z $BASE ]] || ! git rev-parse --quiet --verify "$BASE^{commit}" >/dev/null; then
  give_up 2 "BASE is '$BASE', and there is no such commit here; see that it is fetched (fetch-depth, GIT_DEPTH)"
fi
unreadable="cannot be read as it was at $BASE"
was_pinned="$(before pinned "$CONTRACT")" || give_up 2 "$CONTRACT $unreadable"
was_accepted="$(before accepted "$baseline")" || give_up 2 "$baseline $unreadable"
check_baseline
after pinned
pinned=$now
after accepted
accepted=$now

worst=0
asked=''
for pair in "pinned $was_pinned $pinned" "accepted ${was_accepted:-$was_pinned} $accepted"; do
  read -r what old new <<<"$pair"
  if [[ -z ${new:-} ]]; then # there was none: the contract is new
    new=$old
  elif [[ $old == "$new" ]]; then
    continue
  fi
  if [[ $asked == "$old $new" ]]; then
    continue
  fi
  asked="$old $new"
  printf '%s: %s -> %s\n' "$what" "$old" "$new"
  printf '## %s: codex %s -> %s\n\n' "$what" "$old" "$new" | summarize
  answer "$old" "$new" "$OUT/$what"
  # Known drift counts before what could not be judged.
  if ((code == 1 || worst == 0)); then
    worst=$code
  fi
done
if [[ -z $asked ]]; then
  told="the contract pins codex $pinned and the baseline accepts up to $accepted, as before: nothing is to be asked"
  mark notice 'no version moved' "$told"
  printf '## No version moved\n\nThe contract pins codex %s, and %s is accepted, as before.\n' "$pinned" "$accepted" |
    summarize
fi
finish "$worst"
