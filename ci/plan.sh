#!/usr/bin/env bash
# Which codex versions are to be probed: writes them to plan/plan.json, once, so that all who probe agree.
#
#   VERSIONS  words for `hive-gate matrix`; default `accepted..`: the accepted version, and all that are newer
#   SHARDS    deal them out among so many jobs, as the outputs `count` and `shards` of a GitHub step; default: do not
#   OUT       default plan
#
# If nothing is newer than the accepted version the plan is empty, and that is well. A baseline that is not true ends it
# with 1, and there is no plan.
set -euo pipefail
# shellcheck source=ci/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

OUT="${OUT:-plan}"
SHARDS="${SHARDS:-}"
asked="${VERSIONS:-accepted..}"
read -r -a words <<<"${asked//[$',\n\t']/ }"

if [[ -n $SHARDS && ! $SHARDS =~ ^[1-9][0-9]{0,1}$ ]]; then
  mark error "$(kind 2)" "SHARDS is '$SHARDS'; give a number from 1 to 99"
  finish 2
fi

check_baseline

# The list of versions is asked for anew, whatever is in the cache: one that npm could not renew must not be taken for
# "nothing is newer".
list() {
  local code=0
  HIVE_GATE_CACHE="$scratch" "$HIVE_GATE" matrix --plan --contract "$CONTRACT" -- "$@" \
    >"$scratch/plan.json" 2>"$scratch/why" || code=$?
  inert cat "$scratch/why"
  if ((code)); then
    local told
    told="$(reason "$scratch/why")"
    if ((code == 3)); then
      told="network or start, no drift: $told"
    fi
    mark error "$(kind "$code")" "$told"
    printf '## %s\n\nThe plan could not be made, and nothing was probed (exit code %s).\n' "$(kind "$code")" "$code" |
      summarize
    finish "$code"
  fi
}

list "${words[@]}"
mkdir -p "$OUT"
mv "$scratch/plan.json" "$OUT/plan.json"
versions="$(read_data versions "$OUT/plan.json")"

if [[ " ${words[*]}" == *' accepted..'* && $versions != *' '* ]]; then
  list accepted
  if [[ $versions == "$(read_data versions "$scratch/plan.json")" ]]; then
    told="no codex version is newer than $versions, the last that was accepted: there is nothing to probe"
    mark notice 'nothing newer' "$told"
    printf '## Nothing newer\n\nNo codex version is newer than %s, the last that was accepted.\n' "$versions" | summarize
    printf '{"schema": "hive-gate/plan/1", "versions": [], "shard": null}\n' >"$OUT/plan.json"
    versions=''
  fi
fi

read -r -a planned <<<"$versions"
if [[ -n $versions ]]; then
  printf 'to probe: %s: %s\n' "${#planned[@]}" "$versions"
fi
if [[ -n $SHARDS ]]; then
  {
    printf 'count=%s\n' "${#planned[@]}"
    printf 'shards=%s\n' "$(read_data shards "$OUT/plan.json" "$SHARDS")"
  } >>"${GITHUB_OUTPUT:-/dev/stdout}"
fi
finish 0
