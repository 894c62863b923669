#pragma once

#include <array>
#include <cstddef>

#include "core/micro_op.hpp"
#include "isa/table.hpp"

namespace salu::core {

/// The instruction and variant of a handler.
struct HandlerInfo {
  enum class Kind : u8 { pseudo, instruction, store, load };

  Kind kind = Kind::pseudo;
  Charge charge{};       ///< of a pseudo handler
  isa::Insn insn{};      ///< of an instruction; loads and stores have a handler for each width
  Variant variant{};     ///< of an instruction
  u8 loaded_dwords = 0;  ///< of a load

  [[nodiscard]] constexpr bool is_instruction() const { return kind == Kind::instruction; }
};

/// By HandlerId.
inline constexpr std::array<HandlerInfo, handler_count> handler_infos = {{
#define SALU_PSEUDO(name, call, charge) {HandlerInfo::Kind::pseudo, Charge::charge},
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
#define SALU_HANDLER(name, variant) {HandlerInfo::Kind::instruction, {}, isa::Insn::name, Variant::variant},
#include "core/handlers.def"
#undef SALU_HANDLER
#define SALU_STORE(dwords, base_dwords) {HandlerInfo::Kind::store},
#include "core/store_handlers.def"
#undef SALU_STORE
#define SALU_LOAD(dwords, base_dwords, length) {HandlerInfo::Kind::load, {}, {}, {}, dwords},
#include "core/load_handlers.def"
#undef SALU_LOAD
#define SALU_GENERAL(name) {HandlerInfo::Kind::instruction, {}, isa::Insn::name, Variant::general},
#include "core/general_handlers.def"
#undef SALU_GENERAL
}};

constexpr const HandlerInfo& handler_info(HandlerId id) { return handler_infos[static_cast<std::size_t>(id)]; }

/// The table of `of(HandlerInfo)` for all handlers, by HandlerId.
template <class Of>
constexpr auto by_handler(Of of) {
  std::array<decltype(of(HandlerInfo{})), handler_count> all{};
  for (std::size_t i = 0; i < handler_count; ++i) all[i] = of(handler_infos[i]);
  return all;
}

}  // namespace salu::core
