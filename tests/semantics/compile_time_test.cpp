// The values that semantics.md and AMD's manuals specify, and the edge cases of every semantic function, as
// static_asserts: the test passes if this file compiles. `scripts/mutate` compiles only this file against every mutant.
#include "semantics/compile_time/arithmetic.hpp"
#include "semantics/compile_time/bits.hpp"
#include "semantics/compile_time/compare.hpp"
#include "semantics/compile_time/control.hpp"
#include "semantics/compile_time/logic.hpp"
#include "semantics/compile_time/move.hpp"
#include "semantics/compile_time/scalar_memory.hpp"
#include "semantics/compile_time/shift.hpp"
#include "semantics/compile_time/system.hpp"
