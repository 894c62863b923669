#include "observe/observer.hpp"

#include "observe/vector_accesses.hpp"

namespace salu::observe {
namespace {

const Assumption* find_assumption(const core::Machine& machine, u64 pc, const KnownInstruction& known) {
  const bool is_vector = known.instruction().encoding == isa::EncodingClass::vector;
  return is_vector && machine.wave().vskip() ? nullptr : machine.code().program().find_assumption(pc);
}

}  // namespace

ObservedStep::ObservedStep(const core::Machine& observed, u64 address, const KnownInstruction& instruction,
                           Accesses& buffer)
    : machine(observed),
      pc(address),
      known(instruction),
      assumed(find_assumption(observed, address, instruction)),
      runs_vector(assumed == nullptr && instruction.vector() != nullptr && observed.executes_vectors()),
      csp(observed.wave().csp()),
      first_warning(observed.warnings().size()),
      buffer_(buffer) {}

const Accesses& ObservedStep::accesses() {
  if (accesses_ != nullptr) return *accesses_;
  accesses_ = &buffer_;
  if (assumed != nullptr) {
    find_accesses(machine, *assumed, buffer_);
  } else if (runs_vector) {
    buffer_.clear();
    find_accesses(machine, *known.vector(), buffer_);
  } else if (known.fixed_accesses() != nullptr) {
    accesses_ = known.fixed_accesses();
  } else {
    find_accesses(machine, known.instruction(), buffer_);
  }
  return *accesses_;
}

std::span<const Location> ObservedStep::writes() const {
  if (known.flow() == isa::Flow::fork && csp == machine.wave().csp()) return {};
  return accesses_->writes;
}

bool is_end(const Program& program, u64 pc) {
  return program.function_end == pc || program.return_address == pc ||
         (program.kernel_end && program.kernel_end->address == pc);
}

}  // namespace salu::observe
