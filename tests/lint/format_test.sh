#!/usr/bin/env bash
# Every C and C++ file is formatted by clang-format. The tables (*.def) are formatted by hand.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v clang-format-19 >/dev/null; then
  echo "skipped: clang-format-19 is not installed (scripts/test installs it)"
  exit 77
fi

readarray -d '' -t files < <(
  find src include apps tests bench examples programs web \( -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.inc' \) -print0
)
if ((${#files[@]} == 0)); then
  echo "no C or C++ file found below $PWD"
  exit 1
fi
# One message per file: the test shows which files are not formatted, not every place in them.
if ! printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 24 clang-format-19 --dry-run -Werror --ferror-limit=1; then
  echo "clang-format-19 -i on the files above puts this right"
  exit 1
fi
