# shellcheck shell=bash
# What the scripts of this folder share. They source it; it is not run by itself.
#
# Exit codes are hive-gate's: 0 the contract holds, 1 it does not, or the baseline is not true, 2 usage or a file that is
# not valid, 3 it could not be judged (network, start), 4 a fault of the gate or of these scripts, 130 interrupted. So
# that 1 never means anything else, a script ends through `finish`; whatever ends it otherwise is a fault.
#
# Environment of all scripts:
#   HIVE_GATE         the command; default .venv/bin/hive-gate
#   HIVE_GATE_PYTHON  Python 3.11 or later; default .venv/bin/python
#   HIVE_GATE_CACHE   where programs are kept, see the docs; a relative one is meant from the checkout's root
#   CONTRACT          default contracts/hive-app-server-contract.json; the baseline is the one beside it

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

HIVE_GATE="${HIVE_GATE:-.venv/bin/hive-gate}"
HIVE_GATE_PYTHON="${HIVE_GATE_PYTHON:-.venv/bin/python}"
CONTRACT="${CONTRACT:-contracts/hive-app-server-contract.json}"
baseline="$(dirname "$CONTRACT")/baseline.toml"
if [[ $CONTRACT == *.next.json ]]; then
  baseline="${baseline%.toml}.next.toml"
fi
if [[ -n ${HIVE_GATE_CACHE:-} && $HIVE_GATE_CACHE != /* ]]; then
  export HIVE_GATE_CACHE="$PWD/$HIVE_GATE_CACHE"
fi

scratch="$(mktemp -d)"
finished=''

# finish CODE: end with an exit code that is meant.
finish() {
  finished=yes
  exit "$1"
}

at_the_end() {
  local code=$?
  rm -rf "$scratch"
  if [[ -z $finished ]]; then
    mark error 'hive-gate in CI failed' "${0##*/} ended unexpectedly ($code); this is no drift"
    exit 4
  fi
}
trap at_the_end EXIT
trap 'finish 130' INT TERM

# read_data COMMAND ARGUMENT...: see data.py.
read_data() {
  "$HIVE_GATE_PYTHON" ci/data.py "$@"
}

# mark error|warning|notice TITLE MESSAGE: where GitHub shows it, elsewhere in the log.
mark() {
  if [[ -n ${GITHUB_ACTIONS:-} ]]; then
    local text=$3
    text=${text//'%'/%25}
    text=${text//$'\r'/%0D}
    text=${text//$'\n'/%0A}
    printf '::%s title=%s::%s\n' "$1" "$2" "$text"
  else
    printf '%s: %s: %s\n' "$1" "$2" "$3"
  fi
}

# summarize: what comes on stdin goes to the page of the run, where there is one.
summarize() {
  cat >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
}

# inert COMMAND...: run it so that GitHub takes nothing that it prints for a command; a server's words may be in it.
inert() {
  local code=0 token=''
  if [[ -n ${GITHUB_ACTIONS:-} ]]; then
    token="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
    printf '::stop-commands::%s\n' "$token"
  fi
  "$@" 2>&1 || code=$?
  if [[ -n $token ]]; then
    printf '::%s::\n' "$token"
  fi
  return "$code"
}

# reason FILE: the sentence by which hive-gate says why it failed, from what it wrote on stderr.
reason() {
  local line
  line="$(sed -n 's/^hive-gate: //p' "$1" | tail -n 1)"
  printf '%s' "${line:-see the log}"
}

# kind CODE: what an exit code means, as a title.
kind() {
  case $1 in
    0) printf 'the contract holds' ;;
    1) printf 'codex drifted' ;;
    2) printf 'hive-gate was not asked well' ;;
    3) printf 'could not be judged' ;;
    130) printf 'interrupted' ;;
    *) printf 'hive-gate failed' ;;
  esac
}

# check_baseline: end here if the baseline has an entry that is over or names nothing, whatever else there is to ask.
#
# Probes see only the entries for their own versions: if nothing is probed, nobody would see that one has run out.
check_baseline() {
  local code=0 title told
  if [[ ! -e $baseline && ! -L $baseline ]]; then
    return
  fi
  "$HIVE_GATE" baseline check --contract "$CONTRACT" >"$scratch/baseline" 2>"$scratch/why" || code=$?
  inert cat "$scratch/baseline" "$scratch/why"
  if ((code == 0)); then
    return
  fi
  title="$(kind "$code")"
  told="$(reason "$scratch/why")"
  if ((code == 1)); then
    title='the baseline is not true'
    # An entry that is true ends with its last day.
    told="$baseline: $(sed -nE '/, until [0-9-]{10}$/d; s,^  /,/,p' "$scratch/baseline" | paste -sd ' ')"
  fi
  mark error "$title" "$told"
  {
    printf '## %s (exit code %s)\n\nNothing was asked.\n\n' "$title" "$code"
    printf '```text\n%s\n```\n' "$(cat "$scratch/baseline" "$scratch/why")"
  } | summarize
  finish "$code"
}
