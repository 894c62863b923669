// The values that semantics.md and AMD's manuals spell out, and the edges of every semantic function, as
// static_asserts: that this file compiles is the test. `scripts/mutate` compiles it alone against every mutant.
#include "semantics/compile_time/arithmetic.hpp"
#include "semantics/compile_time/bits.hpp"
#include "semantics/compile_time/compare.hpp"
#include "semantics/compile_time/control.hpp"
#include "semantics/compile_time/logic.hpp"
#include "semantics/compile_time/move.hpp"
#include "semantics/compile_time/scalar_memory.hpp"
#include "semantics/compile_time/shift.hpp"
#include "semantics/compile_time/system.hpp"
