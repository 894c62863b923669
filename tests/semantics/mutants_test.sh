#!/usr/bin/env bash
# Every entry of tests/data/mutate_equivalent.txt must still be a mutant of the code.
set -euo pipefail
"$SALU_SOURCE_DIR/scripts/mutate" --check
