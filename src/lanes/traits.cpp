#include "lanes/traits.hpp"

#include <array>
#include <type_traits>

#include "isa/semantics/all.hpp"
#include "isa/semantics/signature.hpp"
#include "isa/table.hpp"
#include "lanes/kernel.hpp"

namespace salu::lanes {
namespace {

template <class R>
constexpr Role role_of() {
  if constexpr (std::is_same_v<R, isa::Branch>) return Role::branch;
  if constexpr (std::is_same_v<R, isa::Nothing>) return Role::nothing;
  if constexpr (std::is_same_v<R, isa::EndProgram>) return Role::end;
  if constexpr (std::is_same_v<R, isa::Jump>) return Role::jump;
  constexpr bool has_values = isa::ExplicitOperand<R> || isa::WritesScc<R>::value || isa::IsMaybe<R>::value;
  return has_values ? Role::kernel : Role::other;
}

template <class Function>
constexpr Traits traits(isa::Insn insn) {
  using S = isa::Signature<Function>;
  using R = isa::UncheckedResult<typename S::Result>;
  Traits result;
  result.role = role_of<R>();
  result.sdst_dwords = isa::DestinationDwords<R>::value;
  result.ssrc0_dwords = static_cast<u8>(S::operand_type(0).dwords);
  result.ssrc1_dwords = static_cast<u8>(S::operand_type(1).dwords);
  result.sign_extends0 = S::operand_type(0).sign_extends_literal;
  result.sign_extends1 = S::operand_type(1).sign_extends_literal;
  result.old_dwords = S::template asks_for<isa::Old<u64>> ? 2 : S::template asks_for<isa::Old<u32>> ? 1 : 0;
  result.is_sopk = isa::row(insn).format == isa::Format::sopk;
  result.may_keep_sdst = isa::IsMaybe<R>::value;
  result.reads_scc = S::template asks_for<isa::Scc>;
  result.writes_scc = isa::WritesScc<R>::value;
  result.reads_exec = S::template asks_for<isa::Exec>;
  result.writes_exec = std::is_same_v<R, isa::ExecUpdate>;
  result.reads_vcc = S::template asks_for<isa::Vcc>;
  result.may_leave = !std::is_same_v<R, typename S::Result>;
  return result;
}

constexpr std::array all_traits = {
#define SALU_INSN(format, name, ...) \
  traits<decltype(&isa::semantics::name)>(isa::Insn::name),
#include "isa/instructions/sop.def"
#undef SALU_INSN
};

constexpr std::array<HandlerTraits, core::handler_count> all_handlers = {{
#define SALU_PSEUDO(name, call, charge) {},
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
#define SALU_HANDLER(name, variant) {true, isa::Insn::name, core::Variant::variant},
#include "core/handlers.def"
#undef SALU_HANDLER
}};

constexpr Traits other;

}  // namespace

const Traits& traits_of(isa::Insn insn) {
  const auto index = static_cast<std::size_t>(insn);
  if (index >= all_traits.size()) return other;
  // Where a function asks for what a row cannot hold there is no kernel.
  const Traits& found = all_traits[index];
  const bool needs_kernel = found.role == Role::kernel || found.role == Role::branch;
  if (needs_kernel && baseline_kernels().kernels[index].of[0][0][0] == nullptr) return other;
  return found;
}

HandlerTraits handler_traits(core::HandlerId id) { return all_handlers[static_cast<std::size_t>(id)]; }

}  // namespace salu::lanes
