#!/usr/bin/env bash
# examples/reduce: the loop ends with a few lines that show the same bug, and the script refuses what only looks like it.
set -euo pipefail
for tool in llvm-reduce-19 llc-19 llvm-mc-19; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed (scripts/test installs it)"
    exit 77
  fi
done
example=$SALU_SOURCE_DIR/examples/reduce
export SALU=$SALU_EXECUTABLE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

failed=0
fail() {
  echo "$*"
  failed=1
}

# refuses REASON: standard input is not interesting, for this reason.
refuses() {
  local output
  cat >candidate.ll
  if output=$(timeout 20 "$example/interesting.sh" candidate.ll 2>&1); then
    fail "interesting, but should not be ($1):" "$(<candidate.ll)"
  elif [[ $output != *"not interesting: $1"* ]]; then
    fail "expected 'not interesting: $1', got: $output"
  fi
}

refuses 'exit code 0 of the wrong code' <<'IR'
define amdgpu_ps i32 @mix(i32 inreg %a, i32 inreg %b) {
  %r = sub i32 %a, %b
  ret i32 %r
}
IR
refuses 'exit code 5 of the wrong code' <<'IR'
define amdgpu_ps i32 @mix(i32 inreg %a) {
entry:
  %negative = or i32 %a, -2147483648
  br label %loop
loop:
  %x = phi i32 [ %negative, %entry ], [ %half, %loop ]
  %half = ashr i32 %x, 1
  %done = icmp eq i32 %half, -1
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %half
}
IR
refuses 'the right code does not run to its end' <<'IR'
define amdgpu_ps i32 @mix(i32 inreg %a) {
  br label %loop
loop:
  br label %loop
}
IR
refuses 'exit code 4 of the wrong code' <<'IR'
@table = internal addrspace(4) constant [2 x i32] [i32 7, i32 9]
define amdgpu_ps i32 @mix(i32 inreg %a) {
  %half = ashr i32 %a, 31
  %index = add i32 %half, 1
  %place = getelementptr [2 x i32], ptr addrspace(4) @table, i32 0, i32 %index
  %r = load i32, ptr addrspace(4) %place
  ret i32 %r
}
IR
refuses 'the right code does not run to its end' <<'IR'
define amdgpu_ps float @mix(float inreg %a) {
  %r = fadd float %a, %a
  ret float %r
}
IR
refuses 'the result may be undefined' <<'IR'
define amdgpu_ps i32 @mix(i32 inreg %a) {
  %half = ashr exact i32 %a, 1
  ret i32 %half
}
IR
refuses 'llc does not compile it' <<'IR'
define amdgpu_ps i32 @mix(
IR

if ! timeout 600 llvm-reduce-19 --test="$example/interesting.sh" "$example/mixer.ll" -o reduced.ll >log 2>&1; then
  cat log
  exit 1
fi
lines=$(grep -c . reduced.ll)
((lines <= 8)) || fail "$lines lines are left, expected 8 at most"
"$example/interesting.sh" reduced.ll || fail "what is left is not interesting"
llc-19 -mtriple=amdgcn -mcpu=gfx900 reduced.ll -o right.s
grep -q s_ashr_i32 right.s || fail "what is left has no arithmetic shift: it is not the bug of wrong-llc"
((failed == 0)) || cat reduced.ll
exit "$failed"
