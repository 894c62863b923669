#!/usr/bin/env bash
# The commands on the page of examples/kernel, at two levels for two processors: the kernel gives the results of the same C
# code on the host. The debugging session on the page is compared with the actual one.
set -euo pipefail
for tool in clang-19 ld.lld-19; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed (scripts/test installs it)"
    exit 77
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$SALU_EXECUTABLE" "$work/bin/salu"
PATH=$work/bin:$PATH
cp -r "$SALU_SOURCE_DIR/examples" "$work/examples"

# The lines of the blocks of a language on a page.
blocks() { awk -v fence="\`\`\`$2" '/^```/ { inside = $0 == fence; next } inside' "$1"; }

{ echo cd examples/kernel; blocks "$work/examples/kernel/README.md" sh; } >"$work/page"
[[ $(grep -c '^clang-19 ' "$work/page") == 2 ]] || { echo "expected two compilations"; exit 1; }
for target in gfx803 gfx942; do
  for level in O0 O3; do
    changed=$(sed "s/-mcpu=[a-z0-9]*/-mcpu=$target/; s/ -O[0-3] / -$level /" "$work/page")
    grep -q -- "-mcpu=$target" <<<"$changed" && grep -q -- "-$level" <<<"$changed"
    output=$(cd "$work" && bash -euc "$changed")
    grep -q '^1 test: 1 passed' <<<"$output" || { echo "$target, $level: $output"; exit 1; }
  done
done

# The code of both levels computes the same, although lanes keep different data in private memory.
cd "$work/examples/kernel"
for level in O0 O3; do
  clang-19 -$level -target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib steps.c -o $level.so
done
salu equiv O0.so O3.so --symbol steps --states 100 2>/dev/null | grep -q '^equal on 100 states' || { echo "O0 and O3 are not equal"; exit 1; }

# A wrong result is found.
printf '\x09' | dd of=expected.bin bs=1 seek=596 conv=notrunc status=none
salu test steps.yaml >/dev/null && { echo "a wrong byte was not found"; exit 1; }

blocks README.md console >shown
{ echo goto 3714; sed -n 's/^(salu) //p' shown; } >commands
grep -v '^[$(]' shown >answers
salu debug steps.yaml --wave 2 <commands 2>/dev/null | sed "s,$PWD/,," | diff answers - || { echo "README.md shows another session"; exit 1; }
