#pragma once

#include <salu/fidelity.hpp>
#include <salu/outcome.hpp>

#include <optional>

#include "core/machine.hpp"
#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"

namespace salu::observe {

/// Whether hardware may give other results: a clock, a reciprocal.
bool has_approximate_results(const isa::Instruction& instruction);
bool has_approximate_results(const isa::vector::Instruction& instruction);

/// Whether it is to be reported.
bool is_told(const Fidelity& fidelity, FidelityReport asked);

/// What a machine has executed, told apart, where that is to be reported.
std::optional<Fidelity> find_fidelity(const core::Machine& machine, FidelityReport asked);

/// Adds what a later wave has executed.
void merge(std::optional<Fidelity>& all, std::optional<Fidelity>&& later);

}  // namespace salu::observe
