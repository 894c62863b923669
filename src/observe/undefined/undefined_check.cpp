#include "observe/undefined/undefined_check.hpp"

namespace salu::observe::undefined {

void UndefinedCheck::end(const RunOptions& options, Outcome& outcome) {
  check_results(state(), machine(), options.compared);
  check_memory(state(), machine(), options.compared_memory);
  if (machine().stopped() && is_regular_end(machine().stop_reason()))
    check_outputs(state(), machine(), options.compared_memory, options.named_memory);
  outcome.undefined_bits = undefined_bits(state());
  outcome.undefined_memory = undefined_memory(state());
}

}  // namespace salu::observe::undefined
