#!/usr/bin/env bash
# interesting.sh CANDIDATE.ll: exits with 0 if the code that wrong-llc generates for the function ends regularly and
# computes another result than the code of llc; otherwise exits with 1 and prints the reason, which llvm-reduce shows with -v.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
salu=${SALU:-salu}
symbol=mix
inputs=('5 3 0 7' '-9 100000 2 3' '0x7fffffff 0x80000000 3 31' '-1000 -40000 1 12')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$1" "$work/candidate.ll"
cd "$work"
boring() {
  echo "not interesting: $1" >&2
  exit 1
}

# If the IR does not define the result, two compilers may compute different ones: that is not the bug.
open='undef|poison|exact|nsw|nuw|i1 true|[us](div|rem) .*, (%.*|0)'
grep -Eqw "$open" candidate.ll && boring "the result may be undefined: $(grep -Ewm 1 "$open" candidate.ll)"

llc-19 -mtriple=amdgcn -mcpu=gfx900 candidate.ll -filetype=obj -o right.o || boring "llc does not compile it"
"$here/wrong-llc" candidate.ll -o wrong.o || boring "wrong-llc does not compile it"

# A reduced loop may never end: with a limit of steps, the run exits with 5 after a few milliseconds. With --strict and
# --check-undefined, it exits with 7 if an unwritten register is used. Vector instructions that salu does not execute
# always stop a run, with exit code 6.
run=("$salu" run --max-steps 20000 --strict --check-undefined)

# The results of the right code are the expected results of the wrong code. (The README shows this loop with `salu equiv`.)
for input in "${inputs[@]}"; do
  read -r s0 s1 s2 s3 <<<"$input"
  result=$("${run[@]}" right.o --symbol "$symbol" --set "s0=$s0" --set "s1=$s1" --set "s2=$s2" --set "s3=$s3" \
    --format yaml | sed -n 's/^  s0: //p') || boring "the right code does not run to its end"
  printf '%s\n' --- "code: {file: wrong.o, symbol: $symbol}" "registers: {s0: $s0, s1: $s1, s2: $s2, s3: $s3}" \
    "expect: {registers: {s0: $result}}"
done >wrong.yaml

# The exit code is the largest of all runs: 1 means that all ended regularly and at least one result differed.
"${run[@]}" --quiet --check wrong.yaml
code=$?
((code == 1)) || boring "exit code $code of the wrong code, expected 1"
