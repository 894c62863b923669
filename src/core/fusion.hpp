#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "core/micro_op.hpp"
#include "isa/semantics/all.hpp"
#include "isa/semantics/signature.hpp"
#include "isa/table.hpp"

/// What has to be known of handlers where instructions that follow each other are to run as one.
namespace salu::core {

/// Whether an instruction whose operands are slots always goes on to the next one, and nobody looks at the wave in
/// between. (What reads hardware registers may warn.)
template <auto function>
inline constexpr bool always_goes_on = (isa::ExplicitOperand<typename isa::Signature<decltype(function)>::Result> ||
                                        isa::WritesScc<typename isa::Signature<decltype(function)>::Result>::value) &&
                                       !isa::Signature<decltype(function)>::template asks_for<isa::HwregValue>;

/// Whether it may be the last one of those that run as one.
template <auto function>
inline constexpr bool may_end_fused =
    always_goes_on<function> || std::same_as<typename isa::Signature<decltype(function)>::Result, isa::Branch>;

/// What a handler means for what stands in front of it.
struct HandlerFlow {
  /// What becomes of the SCC that it finds. `seen`: all that is not known not to end the run, to pause or go elsewhere.
  enum class Scc : u8 { seen, replaced, passed_on };
  /// Where it may go but to the next instruction.
  enum class To : u8 { next, target, anywhere };

  Scc scc = Scc::seen;
  To to = To::next;
  u8 dwords = 1;  ///< where `scc` is not `seen`
};

/// By HandlerId.
extern const std::array<HandlerFlow, handler_count> handler_flows;

}  // namespace salu::core
