#!/usr/bin/env bash
# run-suite.sh TASKS OUT [OPTION...] PATH...: runs the scenarios as a job array of TASKS tasks, waits for it, and writes
# suite.xml (JUnit), suite.info (LCOV) and the logs to the directory OUT. The options are those of `salu test`, and so are
# the exit codes: 0 all pass, 1 one fails, 2 wrong usage or no test matches, 3 one cannot be loaded, or a report is missing.
set -euo pipefail
readonly usage=2 incomplete=3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

stop() {
  echo "run-suite.sh: $2" >&2
  exit "$1"
}
if (($# < 3)) || [[ ! $1 =~ ^[1-9][0-9]{0,5}$ || -z $2 ]]; then
  stop "$usage" "usage: run-suite.sh TASKS OUT [OPTION...] PATH..., with TASKS from 1 on, as in: run-suite.sh 16 out tests/"
fi
tasks=$1 out=$2
shift 2

# Removes the reports of an earlier run, which could be taken for reports that this run does not write.
rm -rf "$out/parts" "$out"/suite.{xml,info} || stop "$incomplete" "cannot empty $out"
mkdir -p "$out/parts" || stop "$incomplete" "cannot write to $out"
code=0
sbatch --quiet --wait --array="1-$tasks" --output="$out/parts/%a.log" "$here/salu-suite.sbatch" "$out/parts" "$@" || code=$?

logs=("$out"/parts/*.log)
[[ -f ${logs[0]} ]] || stop "$incomplete" "no task has run (exit code $code of sbatch)"
if ((code == usage)); then
  # All tasks rejected the arguments, with the same message.
  cat "${logs[0]}" >&2
  exit "$usage"
fi
tail -qn 1 "${logs[@]}"

parts=()
for ((i = 1; i <= tasks; i++)); do parts+=("$out/parts/$i"); done
# merge.py has the same exit codes. A task without tests is not an error; it is an error if all tasks are without tests.
for kind in xml info; do
  merged=0
  "$here/merge.py" "$out/suite.$kind" "${parts[@]/%/.$kind}" || merged=$?
  ((merged == 0 || merged == usage)) || exit "$incomplete"
  ((merged <= code)) || code=$merged
done
exit "$code"
