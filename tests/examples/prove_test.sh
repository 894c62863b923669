#!/usr/bin/env bash
# The commands on the page of examples/prove: one proof, and one difference with an input.
set -euo pipefail
if ! command -v llc-19 >/dev/null; then
  echo "skipped: llc-19 is not installed (scripts/test installs it)"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$SALU_EXECUTABLE" "$work/bin/salu"
PATH=$work/bin:$PATH

# The lines of the blocks of a language on a page.
blocks() { awk -v fence="\`\`\`$2" '/^```/ { inside = $0 == fence; next } inside' "$1"; }

blocks "$SALU_SOURCE_DIR/examples/prove/README.md" sh >"$work/page"
cp "$SALU_SOURCE_DIR/examples/prove/mix.ll" "$work/"
[[ $(grep -c '^llc-19 ' "$work/page") == 3 ]] || { echo "expected three compilations"; exit 1; }
# The second proof ends with 1.
output=$(cd "$work" && bash page 2>&1) && { echo "the changed word was not found: $output"; exit 1; }
grep -q '^proved: the same for all inputs' <<<"$output" || { echo "nothing was proved: $output"; exit 1; }
grep -q '^different ' <<<"$output" || { echo "no difference: $output"; exit 1; }
# For this input, A and the IR have the same result: all bits are 0.
grep -q 'inputs        all inputs 0' <<<"$output" && grep -q 's0 .*expected 0x00000007 (A)' <<<"$output" ||
  { echo "another input: $output"; exit 1; }
(cd "$work" && salu run --check differs.yaml >check 2>&1) && { echo "both scenarios hold"; exit 1; }
grep -q 'expectations hold' "$work/check" && grep -q 'expectation failed: s0' "$work/check" ||
  { cat "$work/check"; exit 1; }
