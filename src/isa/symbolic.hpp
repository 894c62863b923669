#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/generations.hpp"
#include "isa/hwreg.hpp"

/// The immediates that assembly writes with names: hwreg(...), s_waitcnt counters, sendmsg(...), gpr_idx(...). Names
/// and validity follow LLVM 19 (lib/Target/AMDGPU/Utils/AMDGPUAsmUtils.cpp); the assembler also accepts CLRX's
/// spellings.
namespace salu::isa {

// ---- hwreg(id, offset, size) in SIMM16 ----

struct HwregFields {
  u32 id = 0;      ///< 0 .. 63
  u32 offset = 0;  ///< first bit, 0 .. 31
  u32 size = 32;   ///< bits, 1 .. 32
  friend constexpr bool operator==(const HwregFields&, const HwregFields&) = default;
};

constexpr HwregFields decode_hwreg(u16 simm16) { return {simm16 & 63U, simm16 >> 6 & 31U, (simm16 >> 11 & 31U) + 1}; }
constexpr u16 encode_hwreg(const HwregFields& fields) {
  return static_cast<u16>(fields.id | fields.offset << 6 | (fields.size - 1) << 11);
}

/// LLVM's name of a hardware register, `HW_REG_MODE`; empty if LLVM writes the number.
std::string hwreg_name(Generation generation, u32 id);

/// The register for a name in assembly: the names of `find_hwreg`, and CLRX's `hwreg_mode` and `sq_shader_tba_lo`. Null
/// if the generation does not have the register.
const HwregInfo* find_hwreg_spelling(Generation generation, std::string_view name);

// ---- s_waitcnt ----

/// Counters to wait for; a counter at its maximum is not waited for.
struct WaitCounters {
  u32 vmcnt = 0;
  u32 expcnt = 0;
  u32 lgkmcnt = 0;
  friend constexpr bool operator==(const WaitCounters&, const WaitCounters&) = default;
};

/// The largest value of each counter.
constexpr WaitCounters wait_limits(Generation generation) {
  const WaitLayout& layout = generation_info(generation).waits;
  return {(layout.vmcnt_high.limit() << layout.vmcnt.width) | layout.vmcnt.limit(), layout.expcnt.limit(),
          layout.lgkmcnt.limit()};
}

constexpr WaitCounters decode_waitcnt(Generation generation, u16 simm16) {
  const WaitLayout& layout = generation_info(generation).waits;
  return {layout.vmcnt_high.of(simm16) << layout.vmcnt.width | layout.vmcnt.of(simm16), layout.expcnt.of(simm16),
          layout.lgkmcnt.of(simm16)};
}
constexpr u16 encode_waitcnt(Generation generation, const WaitCounters& counters) {
  const WaitLayout& layout = generation_info(generation).waits;
  return static_cast<u16>(layout.vmcnt.place(counters.vmcnt) |
                          layout.vmcnt_high.place(counters.vmcnt >> layout.vmcnt.width) |
                          layout.expcnt.place(counters.expcnt) | layout.lgkmcnt.place(counters.lgkmcnt));
}

// ---- s_sendmsg ----

struct Message {
  u32 id = 0;         ///< 0 .. 15
  u32 operation = 0;  ///< 0 .. 7
  u32 stream = 0;     ///< 0 .. 3
  friend constexpr bool operator==(const Message&, const Message&) = default;
};

constexpr Message decode_message(u16 simm16) { return {simm16 & 15U, simm16 >> 4 & 7U, simm16 >> 8 & 3U}; }
constexpr u16 encode_message(const Message& message) {
  return static_cast<u16>(message.id | message.operation << 4 | message.stream << 8);
}

/// The name of a message or message operation, and the generations that have it.
struct MessageName {
  std::string_view name;  ///< without prefix, lower case: `gs_done`, `emit_cut`
  u8 id = 0;
  GenerationSet generations = generations::all;
  [[nodiscard]] constexpr bool exists_on(Generation generation) const { return contains(generations, generation); }
};

/// The message for `MSG_GS`, `gs`, `msg_system`, ..., in any letter case; null if the name does not exist.
const MessageName* find_message(std::string_view name);
/// The operation for `GS_OP_CUT` or `cut` (GS and GS_DONE), `SYSMSG_OP_REG_RD` or `reg_rd` (SYSMSG); null if the name
/// does not exist.
const MessageName* find_message_operation(u32 message_id, std::string_view name);

/// `MSG_GS`; empty if the generation does not have the message.
std::string message_name(Generation generation, u32 id);
/// `GS_OP_CUT`; empty if the message does not have the operation on the generation.
std::string message_operation_name(Generation generation, u32 message_id, u32 operation);

/// MSG_GS, MSG_GS_DONE and MSG_SYSMSG require an operation.
constexpr bool message_needs_operation(u32 id) { return id == 2 || id == 3 || id == 15; }
/// MSG_GS and MSG_GS_DONE have a stream with every operation except NOP.
constexpr bool message_has_stream(u32 id, u32 operation) { return (id == 2 || id == 3) && operation != 0; }
/// True if LLVM writes the message with names.
bool is_named_message(Generation generation, const Message& message);

// ---- gpr_idx ----

/// Names of the enable bits 0 to 3 of GPR index mode.
inline constexpr std::array<std::string_view, 4> gpr_idx_names = {"SRC0", "SRC1", "SRC2", "DST"};

// ---- as text ----

/// `hwreg(HW_REG_MODE, 0, 4)`; offset and size are omitted for a whole register.
std::string hwreg_text(Generation generation, u16 simm16);
/// `vmcnt(0) lgkmcnt(0)`; counters at their maximum are omitted unless all are.
std::string waitcnt_text(Generation generation, u16 simm16);
/// `sendmsg(MSG_GS, GS_OP_CUT, 0)`; numbers replace missing names. The plain number if bits outside the three fields
/// are set.
std::string sendmsg_text(Generation generation, u16 simm16);
/// `gpr_idx(SRC0,DST)`, or the number if it has more than four bits.
std::string gpr_idx_text(u32 value);
/// As LLVM writes immediates: decimal from -16 to 64, else hexadecimal.
std::string immediate_text(u32 value);

}  // namespace salu::isa
