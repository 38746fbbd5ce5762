#!/usr/bin/env bash
# Joins what the shares left, tells it, and ends with the exit code that it amounts to.
#
#   PLAN      default plan/plan.json: what must be there
#   EVIDENCE  default evidence: a folder for each share, with its matrix.json
#   OUT       default verdict
#
# A planned version of which nothing was left counts as not judged: it is never green.
set -euo pipefail
# shellcheck source=ci/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PLAN="${PLAN:-plan/plan.json}"
EVIDENCE="${EVIDENCE:-evidence}"
OUT="${OUT:-verdict}"

# give_up CODE MESSAGE: end without a table.
give_up() {
  mark error "$(kind "$1")" "$2"
  printf '## %s\n\nThere is no table: see the log (exit code %s).\n' "$(kind "$1")" "$1" | summarize
  finish "$1"
}

[[ -f $PLAN ]] || give_up 3 'there is no plan: the job that makes it did not end well, and says why; this is no drift'
planned="$(read_data versions "$PLAN")"
if [[ -z $planned ]]; then
  mark notice 'nothing newer' 'the plan is empty: there is nothing to judge'
  finish 0
fi

shopt -s nullglob
found=("$EVIDENCE"/*/matrix.json)
if [[ -f $EVIDENCE/matrix.json ]]; then # there was one share only, and no folder for it
  found+=("$EVIDENCE/matrix.json")
fi
if ((${#found[@]} == 0)); then
  give_up 3 "network or start, no drift: no job left evidence on any of $planned"
fi

code=0
"$HIVE_GATE" matrix --merge --out "$OUT" -- "${found[@]}" >"$scratch/table" 2>"$scratch/why" || code=$?
inert cat "$scratch/table" "$scratch/why"
case $code in
  0 | 1 | 3) ;;
  *) give_up "$code" "this is no drift: $(reason "$scratch/why")" ;;
esac
[[ -f $OUT/matrix.json ]] || give_up 4 'the evidence of the shares was joined, and nothing was written'

missing="$(read_data missing "$PLAN" "$OUT/matrix.json")"
if [[ -n $missing ]] && ((code == 0)); then
  code=3
fi

# What it amounts to comes first: GitHub shows ten marks of a step.
told=()
if ((code == 1)); then
  told+=("$(read_data closed "$OUT/matrix.json")")
  mark error "$(kind 1)" "${told[0]}"
fi
unjudged="$(read_data unjudged "$OUT/matrix.json")"
if [[ -n $unjudged ]]; then
  told+=("network or start, no drift: $unjudged")
  mark error "$(kind 3)" "${told[${#told[@]} - 1]}"
fi
if [[ -n $missing ]]; then
  told+=("no evidence was left on $missing: see the jobs that probe")
  mark error "$(kind 3)" "${told[${#told[@]} - 1]}"
fi
if ((code == 0)); then
  told+=("the contract holds on every version that was asked about: $planned")
  mark notice "$(kind 0)" "${told[0]}"
fi
if [[ -n ${GITHUB_ACTIONS:-} ]]; then
  "$HIVE_GATE" matrix --merge --out "$OUT" --format annotations -- "$OUT" 2>/dev/null || true
fi

{
  printf '## %s (exit code %s)\n\n' "$(kind "$code")" "$code"
  printf -- '- %s\n' "${told[@]}"
  printf '\n'
  cat "$OUT/matrix.github.md"
} | summarize
finish "$code"
