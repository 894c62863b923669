#!/usr/bin/env bash
# The shell scripts parse and can be executed from a fresh clone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

failed=0
for script in .ci/run scripts/* scripts/lib/* tests/*/*.sh examples/*/*.sh examples/reduce/wrong-llc; do
  [[ -f $script ]] || continue
  case $(head -n 1 "$script") in
    '#!'*bash*) ;;
    '#!'*) continue ;;
    *) [[ $script == *.sh ]] || { echo "$script: no #! line"; failed=1; continue; } ;;
  esac
  bash -n "$script" || failed=1
  if [[ $script != scripts/lib/* && ! -x $script ]]; then
    echo "$script: not executable"
    failed=1
  fi
done
exit "$failed"
