#!/usr/bin/env bash
# examples/prove: the commands of its page and of README.md prove what is the same, and find what is not.
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
blocks() { awk -v fence="\`\`\`$2" '{ sub(/^  /, "") } /^```/ { inside = $0 == fence; next } inside' "$1"; }

blocks "$SALU_SOURCE_DIR/README.md" sh | sed -n '/^cd examples\/prove/,$p' | sed 's/^cd .*//' >"$work/readme"
blocks "$SALU_SOURCE_DIR/examples/prove/README.md" sh >"$work/page"
for commands in readme page; do
  cp "$SALU_SOURCE_DIR/examples/prove/mix.ll" "$work/"
  [[ $(grep -c '^llc-19 ' "$work/$commands") == 3 ]] || { echo "$commands: expected three compilations"; exit 1; }
  # Of the two proofs the second one ends with 1.
  output=$(cd "$work" && bash "$commands" 2>&1) && { echo "$commands: the changed word was not found: $output"; exit 1; }
  grep -q '^proved: the same for all inputs' <<<"$output" || { echo "$commands: nothing was proved: $output"; exit 1; }
  grep -q '^different ' <<<"$output" || { echo "$commands: no difference: $output"; exit 1; }
  # A has what the IR says of the input that was found: all 0 here.
  grep -q 'inputs        all inputs 0' <<<"$output" && grep -q 's0 .*0x00000007 in A' <<<"$output" ||
    { echo "$commands: another input: $output"; exit 1; }
  (cd "$work" && salu run --check salu-prove.yaml >check 2>&1) && { echo "both scenarios hold"; exit 1; }
  grep -q 'expectations hold' "$work/check" && grep -q 'expectation failed: s0' "$work/check" ||
    { cat "$work/check"; exit 1; }
done
