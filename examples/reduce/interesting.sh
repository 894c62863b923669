#!/usr/bin/env bash
# interesting.sh CANDIDATE.ll: exits with 0 when wrong-llc makes code of the function that runs to its end and computes
# something else than the code of llc, with 1 otherwise. It says why not; llvm-reduce hides that, but for -v.
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

# Where the IR leaves the answer open, two compilers may answer differently: that is not the bug.
open='undef|poison|exact|nsw|nuw|i1 true|[us](div|rem) .*, (%.*|0)'
grep -Eqw "$open" candidate.ll && boring "the result may be undefined: $(grep -Ewm 1 "$open" candidate.ll)"

llc-19 -mtriple=amdgcn -mcpu=gfx900 candidate.ll -filetype=obj -o right.o || boring "llc does not compile it"
"$here/wrong-llc" candidate.ll -o wrong.o || boring "wrong-llc does not compile it"

# A reduced loop may never end: with a step budget that is exit code 5 after a few milliseconds. --strict and
# --check-undefined make it 7 when a register is read that nothing has written. Vector instructions that salu
# does not execute stop a run anyway: 6.
run=("$salu" run --max-steps 20000 --strict --check-undefined)

# What the right code computes is what the wrong code is expected to compute. (The README has this loop with `salu equiv`.)
for input in "${inputs[@]}"; do
  read -r s0 s1 s2 s3 <<<"$input"
  result=$("${run[@]}" right.o --symbol "$symbol" --set "s0=$s0" --set "s1=$s1" --set "s2=$s2" --set "s3=$s3" \
    --format yaml | sed -n 's/^  s0: //p') || boring "the right code does not run to its end"
  printf '%s\n' --- "code: {file: wrong.o, symbol: $symbol}" "registers: {s0: $s0, s1: $s1, s2: $s2, s3: $s3}" \
    "expect: {registers: {s0: $result}}"
done >wrong.yaml

# Of several runs, the largest exit code: 1 says that all came to a regular end and one had another result.
"${run[@]}" --quiet --check wrong.yaml
code=$?
((code == 1)) || boring "exit code $code of the wrong code, expected 1"
