#!/usr/bin/env bash
# examples/reduce: the scripts of the page reject code that only resembles the bug, and accept the module and the
# reduced function of the page. With SALU_REDUCTION=all, the commands of the page reduce the module, which runs the
# compilers several hundred times, and have to leave the function that the page shows.
set -euo pipefail
for tool in llvm-reduce-19 llc-19 llvm-mc-19; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed (scripts/test installs it)"
    exit 77
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$SALU_SOURCE_DIR/examples/reduce" "$work/example"
example=$work/example
export SALU=$SALU_EXECUTABLE
cd "$work"

# block NUMBER: a fenced block of the page.
block() { awk -v wanted="$1" '/^```/ { if (inside = !inside) ++number; next } inside && number == wanted' "$example/README.md"; }
[[ $(grep -c '^```' "$example/README.md") == 6 ]] || { echo "README.md: this test knows of three blocks"; exit 1; }

# The page's lines for `salu equiv` in place of the loop over the inputs.
block 3 >equiv_lines
grep -q 'equiv right.o wrong.o .* -o wrong.yaml$' equiv_lines
sed -e '/^# The results of the right code/,/^done >wrong.yaml/ { /^done/ r equiv_lines
  d; }' "$example/interesting.sh" >"$example/with_equiv.sh"
if grep -q 'for input in' "$example/with_equiv.sh" || ! grep -q '" equiv right.o' "$example/with_equiv.sh"; then
  echo "interesting.sh: the loop over the inputs is not where this test looks for it"
  exit 1
fi
chmod +x "$example/with_equiv.sh"

failed=0
fail() {
  echo "$*"
  failed=1
}

# refuses REASON: the module on standard input is rejected for this reason.
refuses() {
  local output
  cat >candidate.ll
  if output=$(timeout 20 "$example/interesting.sh" candidate.ll 2>&1); then
    fail "interesting, but should not be ($1):" "$(<candidate.ll)"
  elif [[ $output != *"not interesting: $1"* ]]; then
    fail "expected 'not interesting: $1', got: $output"
  fi
  if output=$(timeout 20 "$example/with_equiv.sh" candidate.ll 2>&1); then
    fail "interesting with salu equiv, but should not be ($1):" "$(<candidate.ll)"
  elif [[ $output != *'not interesting: '* ]]; then
    fail "expected 'not interesting: ...' with salu equiv, got: $output"
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
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
define amdgpu_ps i32 @mix(i32 inreg %a) {
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float 0.0, float 0.0, float 0.0, float 0.0, i1 1, i1 1)
  ret i32 %a
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

block 2 >shown
grep -q '^define' shown
if [[ ${SALU_REDUCTION:-} == all ]]; then
  # The commands of the page, with salu installed as the page assumes.
  mkdir -p home/.local/bin
  ln -s "$SALU_EXECUTABLE" home/.local/bin/salu
  block 1 >commands
  if ! (unset SALU && cd example && HOME=$work/home timeout 600 bash -e ../commands >../log 2>&1) || ! grep -qx interesting log; then
    cat log
    exit 1
  fi
  diff <(sed '/^;/d; /^source_filename/d; /^target/d; /./,$!d' example/reduced.ll) shown || fail "the page shows another function"
else
  cp shown example/reduced.ll
fi
for script in interesting with_equiv; do
  for module in mixer reduced; do
    "$example/$script.sh" "$example/$module.ll" || fail "$script.sh: $module.ll is not interesting"
  done
done
llc-19 -mtriple=amdgcn -mcpu=gfx900 example/reduced.ll -o right.s
grep -q s_ashr_i32 right.s || fail "the reduced function does not contain an arithmetic shift: it is not the bug of wrong-llc"
((failed == 0)) || cat example/reduced.ll
exit "$failed"
