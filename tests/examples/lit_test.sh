#!/usr/bin/env bash
# examples/lit passes under the real lit, and fails if the code is changed.
set -euo pipefail
for tool in llc-19 FileCheck-19; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: $tool is not installed (scripts/test installs it)"
    exit 77
  fi
done
lit=()
for candidate in lit llvm-lit lit-19 /usr/lib/llvm-19/build/utils/lit/lit.py; do
  if command -v "$candidate" >/dev/null; then
    lit=("$candidate")
    break
  elif [[ -f $candidate ]]; then
    lit=(python3 "$candidate")
    break
  fi
done
if ((${#lit[@]} == 0)); then
  echo "skipped: lit is not installed (scripts/test installs it)"
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run_lit() { "${lit[@]}" -v -D "salu=$SALU_EXECUTABLE" -D "exec_root=$work/out" "$@"; }

tests=("$SALU_SOURCE_DIR"/examples/lit/*.{ll,s,yaml})
output=$(run_lit "$SALU_SOURCE_DIR/examples/lit" 2>&1) || { echo "$output"; exit 1; }
if [[ $output != *"Passed: ${#tests[@]} (100.00%)"* ]]; then
  echo "expected ${#tests[@]} tests that pass: $output"
  exit 1
fi

# fails_after FILE SED: only the tests of FILE fail in a copy in which the sed command has changed it.
fails_after() {
  rm -rf "$work/copy"
  cp -r "$SALU_SOURCE_DIR/examples/lit" "$work/copy"
  sed -i "$2" "$work/copy/$1"
  if cmp -s "$work/copy/$1" "$SALU_SOURCE_DIR/examples/lit/$1"; then
    echo "sed '$2' changes nothing in $1"
    exit 1
  fi
  local output
  if output=$(run_lit "$work/copy" 2>&1) || [[ $output != *"FAIL: salu :: $1"* || $output != *"Failed: 1 "* ]]; then
    echo "expected $1 to fail alone after sed '$2': $output"
    exit 1
  fi
}
fails_after saturate.ll 's/ashr/lshr/'
fails_after trip_count.ll 's/%less = sub i32 %left, 1/%less = sub i32 %left, 2/'
fails_after encodings.s 's/^s_and_b32/s_or_b32/'
fails_after minimum.yaml 's/{s0: 5}/{s0: 7}/'

# Runs the commands of the page for a reader who has lit in PATH and salu in the directory that the page names.
mkdir -p "$work/home/.local/bin" "$work/bin"
ln -s "$SALU_EXECUTABLE" "$work/home/.local/bin/salu"
printf '#!/usr/bin/env bash\nexec %s "$@"\n' "${lit[*]}" >"$work/bin/lit"
chmod +x "$work/bin/lit"
rm -rf "$work/copy"
cp -r "$SALU_SOURCE_DIR/examples/lit" "$work/copy"
awk '/^```/ { inside = !inside; next } inside' "$work/copy/README.md" >"$work/commands"
cd "$work/copy"
output=$(HOME=$work/home PATH=$work/bin:$work/home/.local/bin:$PATH bash -e "$work/commands" 2>&1) || { echo "$output"; exit 1; }
if [[ $(grep -c "Passed: ${#tests[@]} (100.00%)" <<<"$output") != "$(wc -l <"$work/commands")" ]]; then
  echo "expected ${#tests[@]} tests that pass for each command of README.md: $output"
  exit 1
fi
