#pragma once

#include <salu/integer.hpp>

#include <cstddef>

#include "isa/instruction.hpp"

namespace salu::core {

/// How a handler finds its operands.
enum class Variant : u8 {
  fast,      ///< operands are slot numbers
  literal0,  ///< as fast, but ssrc0 is the literal in `imm`
  literal1,  ///< as fast, but ssrc1 is the literal in `imm`
  general,   ///< operands are operand codes, resolved when it runs
};

/// When a pseudo handler leaves an op that has not been paid for.
enum class Charge : u8 {
  never,
  always,
  by_instruction,  ///< where a block ends with the instruction that it stands in front of
  own_handler,     ///< never: the own handler of the op that it returns runs next
};

/// Handlers by number: the pseudo handlers, then one per instruction and variant.
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
};
inline constexpr std::size_t pseudo_handler_count = 0
#define SALU_PSEUDO(name, call, charge) +1
#include "core/pseudo_handlers.def"
#undef SALU_PSEUDO
    ;
inline constexpr std::size_t handler_count = pseudo_handler_count
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

/// Which explicit operand of an instruction is what the instruction before it has just written, where both run as one.
enum class Forward : u8 { none, ssrc0, ssrc1 };

/// Whether SCC may be read behind instructions that run as one.
enum class SccBehind : u8 { live, dead };

/// Handlers of instructions that run as one. A dispatch loop's table has them behind those that have a HandlerId.
inline constexpr std::size_t fused_handler_count = 0
#define SALU_FUSED2(forward, behind, first, second) +1
#define SALU_FUSED3(forward, behind, first, second, third) +1
#include "core/fused_handlers.def"
#undef SALU_FUSED2
#undef SALU_FUSED3
    ;

/// One predecoded instruction. Every dword of a code block has one, so a PC and a micro-op are two names of one thing.
struct MicroOp {
  const void* handler = nullptr;  ///< label or function of the dispatch loop in use: of `id`, or of what runs instead
  HandlerId id = HandlerId::predecode;
  u8 d = 0;       ///< destination: slot, or operand code in a general handler
  u8 extent = 0;  ///< dwords of the instruction, and `ends_here`; 0 where none has been decoded yet
  u32 cost = 0;   ///< instructions from here to the end of the block, both included; 0 where there is no instruction
  u16 a = 0;      ///< ssrc0: slot, or operand code in a general handler
  u16 b = 0;      ///< ssrc1 likewise
  i32 imm = 0;  ///< literal; or SIMM16 sign-extended; or, in the fast handler of a direct branch, the way to its target
                ///< in bytes of MicroOps

  static constexpr u8 ends_here = 0x80;  ///< in `extent`: the block ends with this instruction
};
static_assert(sizeof(MicroOp) == 16 + sizeof(void*));

/// Slots that handlers read: 0 to 127 are the registers at their operand codes, 128 to 255 the 32-bit inline constants
/// at theirs, then come the 64-bit inline constants, two slots for each code from 128 on.
inline constexpr u32 constant64_slots = 256;
inline constexpr u32 slot_count = constant64_slots + 2 * 128;
constexpr u16 constant64_slot(u32 code) { return static_cast<u16>(constant64_slots + 2 * (code - 128)); }

}  // namespace salu::core
