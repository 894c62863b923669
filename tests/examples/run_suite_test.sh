#!/usr/bin/env bash
# Tests the exit codes of examples/slurm/run-suite.sh. An `sbatch` that runs the tasks one by one replaces Slurm; slurm.sh
# tests with the real one.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export SALU=$SALU_EXECUTABLE
run_suite=$SALU_SOURCE_DIR/examples/slurm/run-suite.sh

mkdir bin
cat >bin/sbatch <<'SBATCH'
#!/usr/bin/env bash
[[ -z ${SBATCH_FAILS:-} ]] || { echo "sbatch: error: Batch job submission failed" >&2; exit 1; }
[[ $1 == --quiet && $2 == --wait && $3 == --array=1-* && $4 == --output=*%a.log ]] || exit 99
count=${3#--array=1-} log=${4#--output=} script=$5 largest=0
shift 5
export SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=$count SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_ID
for ((SLURM_ARRAY_TASK_ID = 1; SLURM_ARRAY_TASK_ID <= count; SLURM_ARRAY_TASK_ID++)); do
  [[ $SLURM_ARRAY_TASK_ID != "${LOST_TASK:-}" ]] || continue
  code=0
  bash "$script" "$@" >"${log//%a/$SLURM_ARRAY_TASK_ID}" 2>&1 || code=$?
  ((code <= largest)) || largest=$code
done
exit "$largest"
SBATCH
chmod +x bin/sbatch
export PATH=$work/bin:$PATH

test_of() { printf '%s\n' 'target: gfx900' 'code: {asm: s_endpgm}' "expect: {registers: {scc: $1}}"; }
mkdir good wrong broken
for i in {1..5}; do test_of 0 | tee "good/$i.yaml" "wrong/$i.yaml" >"broken/$i.yaml"; done
test_of 1 | tee wrong/6.yaml >broken/6.yaml
echo 'target: [' >broken/7.yaml

failed=0
# exits CODE TEXT ARGUMENT...: run-suite.sh exits with this and prints this.
exits() {
  local code=0 output
  output=$(timeout 60 "$run_suite" "${@:3}" 2>&1) || code=$?
  if ((code != $1)) || [[ $output != *"$2"* ]]; then
    printf 'run-suite.sh %s\nexited with %s, expected %s and the text "%s":\n%s\n' "${*:3}" "$code" "$1" "$2" "$output"
    failed=1
  fi
}
reports() {
  grep -q "<testsuite .*tests=\"$1\" failures=\"$2\" errors=\"$3\"" out/suite.xml || {
    echo "expected $1 tests, $2 failures, $3 errors:"
    grep '<testsuite ' out/suite.xml
    failed=1
  }
}
leaves_nothing() {
  [[ ! -e out/suite.xml && ! -e out/suite.info ]] || { echo "$1: the report of an earlier run is still there"; failed=1; }
}

exits 0 '5 tests, 0 failures, 0 errors' 4 out good
reports 5 0 0
# Options are passed to `salu test`. There may be more tasks than tests, and a filter may leave tasks without tests.
exits 0 '1 tests, 0 failures, 0 errors' 4 out -k 3.yaml good
exits 0 '5 tests' 9 out good
exits 1 '6 tests, 1 failures, 0 errors' 4 out wrong
reports 6 1 0
exits 3 '7 tests, 1 failures, 1 errors' 4 out broken
reports 7 1 1

# Wrong usage, of this script and of `salu test`.
for arguments in '' '4' '4 out' '0 out good' '-1 out good' 'x out good' '1-4 out good'; do
  # shellcheck disable=SC2086
  exits 2 'usage: run-suite.sh TASKS OUT' $arguments
done
exits 2 'usage: run-suite.sh TASKS OUT' 4 '' good
for tasks in 1 4; do
  exits 2 'no test' "$tasks" out -k tpyo good
  exits 2 '--frobnicate' "$tasks" out --frobnicate good
done
leaves_nothing 'wrong usage'

# Tasks that did not run are failures, and an earlier report is not used instead.
exits 0 '5 tests' 4 out good
SBATCH_FAILS=1 exits 3 'no task has run (exit code 1 of sbatch)' 4 out good
leaves_nothing 'sbatch failed'
exits 0 '5 tests' 4 out good
LOST_TASK=2 exits 3 'a part is missing or damaged' 4 out good
leaves_nothing 'a task was lost'
SALU=$work/nowhere exits 3 'a part is missing or damaged' 4 out good
exits 3 'a part is missing or damaged' 4 out no_such_folder
touch file
exits 3 'cannot ' 4 file good
# Slurm may be installed here, so this PATH has only the other programs that the script calls.
mkdir without_slurm
for tool in bash env python3 rm mkdir dirname tail cat timeout; do ln -s "$(command -v "$tool")" without_slurm/; done
PATH=$work/without_slurm exits 3 'no task has run (exit code 127 of sbatch)' 4 out good
rm without_slurm/python3
ln -s "$work/bin/sbatch" without_slurm/
PATH=$work/without_slurm exits 3 'python3' 4 out good

# Variables of a shard in the environment do not make every task run the same shard.
export TEST_TOTAL_SHARDS=4 TEST_SHARD_INDEX=1
exits 0 '5 tests' 4 out good
reports 5 0 0
exit "$failed"
