#!/usr/bin/env bash
# run-suite.sh TASKS OUT PATH...: runs the scenarios as a job array of so many tasks, waits for it, and leaves suite.xml
# (JUnit), suite.info (LCOV) and the logs in the folder OUT. Exits as `salu test` does:
# with the largest exit code of the tasks, and with 3 when a report is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if (($# < 3)); then
  echo "usage: run-suite.sh TASKS OUT PATH..." >&2
  exit 2
fi
tasks=$1 out=$2
shift 2

# Reports of an earlier run must not stand in for a task that did not come to write its own.
rm -rf "$out/parts"
mkdir -p "$out/parts"
code=0
sbatch --quiet --wait --array="1-$tasks" --output="$out/parts/%a.log" "$here/salu-suite.sbatch" "$out/parts" "$@" || code=$?
tail -qn 1 "$out"/parts/*.log

parts=()
for ((i = 1; i <= tasks; i++)); do parts+=("$out/parts/$i"); done
"$here/merge.py" "$out/suite.xml" "${parts[@]/%/.xml}" || exit 3
"$here/merge.py" "$out/suite.info" "${parts[@]/%/.info}" || exit 3
exit "$code"
