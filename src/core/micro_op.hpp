#pragma once

#include <salu/integer.hpp>

#include <cstddef>

#include "isa/instruction.hpp"

namespace salu::core {

/// The encoding of a handler's operands.
enum class Variant : u8 {
  fast,     ///< operands are slot numbers
  literal,  ///< operands are slot numbers; the instruction has a literal and is two dwords long
  general,  ///< operands are operand codes, resolved at run time
};

/// The condition under which the op after a pseudo handler must be charged to the budget.
enum class Charge : u8 {
  never,
  always,
  by_instruction,  ///< if the instruction of the op ends its block
  own_handler,     ///< never: the op's own handler runs next
};

/// Handlers by number: the pseudo handlers, then those of instructions. The general ones are last and share the code of
/// the pseudo handler `general`.
enum class HandlerId : u16 {
#define SALU_PSEUDO(name, call, charge) name,
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
#define SALU_HANDLER(name, variant) name##_##variant,
#include "core/handlers.def"
#undef SALU_HANDLER
#define SALU_STORE(dwords, base_dwords) store_x##dwords##_base##base_dwords,
#include "core/store_handlers.def"
#undef SALU_STORE
#define SALU_LOAD(dwords, base_dwords, length) load_x##dwords##_base##base_dwords##_length##length,
#include "core/load_handlers.def"
#undef SALU_LOAD
#define SALU_GENERAL(name) name##_general,
#include "core/general_handlers.def"
#undef SALU_GENERAL
};
inline constexpr std::size_t pseudo_handler_count = 0
#define SALU_PSEUDO(name, call, charge) +1
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
    ;
inline constexpr std::size_t general_handler_count = 0
#define SALU_GENERAL(name) +1
#include "core/general_handlers.def"
#undef SALU_GENERAL
    ;
inline constexpr std::size_t handler_count = pseudo_handler_count + general_handler_count
#define SALU_HANDLER(name, variant) +1
#include "core/handlers.def"
#undef SALU_HANDLER
#define SALU_STORE(dwords, base_dwords) +1
#include "core/store_handlers.def"
#undef SALU_STORE
#define SALU_LOAD(dwords, base_dwords, length) +1
#include "core/load_handlers.def"
#undef SALU_LOAD
    ;

/// One predecoded instruction. Every dword of a code block has one, so a PC and a micro-op correspond to each other.
struct MicroOp {
  const void* handler = nullptr;  ///< label or function of the dispatch loop: of `id`, or of its replacement
  HandlerId id = HandlerId::predecode;
  u8 d = 0;       ///< destination: slot, or operand code in a general handler
  u8 extent = 0;  ///< dwords of the instruction, and `ends_here`; 0 if nothing is decoded yet
  u32 cost = 0;   ///< instructions from here to the end of the block, inclusive; 0 if not an instruction
  u16 a = 0;      ///< ssrc0: slot, or operand code in a general handler
  u16 b = 0;      ///< ssrc1: slot, or operand code in a general handler
  i32 imm = 0;    ///< SIMM16 sign-extended; or, in a general handler, the literal; or, in the fast handler of a direct
                  ///< branch, the distance to its target in bytes of MicroOps

  static constexpr u8 ends_here = 0x80;  ///< in `extent`: the block ends with this instruction

  [[nodiscard]] constexpr u32 dwords() const { return extent & ~u32{ends_here}; }
};
static_assert(sizeof(MicroOp) == 16 + sizeof(void*));

/// Slots that handlers read: 0 to 127 are the registers at their operand codes, 128 to 255 the 32-bit inline constants
/// at their codes, followed by the 64-bit inline constants, two slots for each code from 128 on, and the literals of
/// the code, two slots for each.
inline constexpr u32 constant64_slots = 256;
inline constexpr u32 literal_slots = constant64_slots + 2 * 128;
/// Limit for different literals with slots; instructions with other literals have general handlers.
inline constexpr u32 most_literals = 1024;
inline constexpr u32 slot_count = literal_slots + 2 * most_literals;
constexpr u16 constant64_slot(u32 code) { return static_cast<u16>(constant64_slots + 2 * (code - 128)); }

}  // namespace salu::core
