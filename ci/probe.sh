#!/usr/bin/env bash
# Probes its share of the planned versions, and leaves matrix.json and the runs' reports in OUT.
#
#   VERSIONS  exact versions; or
#   PLAN      the plan.json that has them
#   SHARD     only share I/N of them; a share that is empty is well
#   OUT       default evidence
#
# Open, drifted and not judged (0, 1, 3) alike are evidence and end with 0: verdict.sh judges the whole. Anything else
# is an error of this job.
set -euo pipefail
# shellcheck source=ci/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

OUT="${OUT:-evidence}"
SHARD="${SHARD:-}"
versions="${VERSIONS:-}"
if [[ -n ${PLAN:-} ]]; then
  versions="$(read_data versions "$PLAN")"
fi
if [[ -n $versions && -n $SHARD ]]; then
  read -r -a words <<<"$versions"
  "$HIVE_GATE" matrix --plan --shard "$SHARD" --contract "$CONTRACT" -- "${words[@]}" >"$scratch/share.json" || {
    code=$?
    mark error "$(kind "$code")" "the share $SHARD cannot be told: see the log"
    finish "$code"
  }
  versions="$(read_data versions "$scratch/share.json")"
fi
if [[ -z $versions ]]; then
  mark notice 'nothing to probe' "${SHARD:+the share $SHARD is empty: }there is no version to probe here"
  finish 0
fi

read -r -a words <<<"$versions"
rm -f "$OUT/matrix.json"
code=0
inert "$HIVE_GATE" matrix --out "$OUT" --contract "$CONTRACT" -- "${words[@]}" || code=$?
case $code in
  0 | 1 | 3) ;;
  *)
    mark error "$(kind "$code")" "hive-gate ended with $code on $versions; this is no drift"
    finish "$code"
    ;;
esac
if [[ ! -f $OUT/matrix.json ]]; then
  ((code == 3)) || code=4
  mark error "$(kind "$code")" "nothing was written about $versions; this is no drift"
  finish "$code"
fi
printf '%s (exit code %s): the evidence is in %s, the verdict comes from all shares together\n' \
  "$(kind "$code")" "$code" "$OUT"
finish 0
