#!/usr/bin/env bash
# Whatever tests/data/mutate_equivalent.txt explains is still a mutant of the code.
set -euo pipefail
"$SALU_SOURCE_DIR/scripts/mutate" --check
