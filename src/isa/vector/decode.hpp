#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <span>

#include "isa/vector/dpp.hpp"
#include "isa/vector/instruction.hpp"
#include "isa/vector/operands.hpp"

namespace salu::isa::vector {

/// The encoding of an ALU instruction; LLVM's suffixes are `_e32`, `_e64`, `_sdwa` and `_dpp`.
enum class Form : u8 { e32, e64, sdwa, dpp };

/// True for the forms that access parts of operands, or lanes of them.
constexpr bool is_extended(Form form) { return form == Form::sdwa || form == Form::dpp; }

/// A part of an operand (SDWA).
enum class Select : u8 { byte_0, byte_1, byte_2, byte_3, word_0, word_1, dword };
/// The effect on the rest of the destination if only a part is written (SDWA).
enum class Unused : u8 { pad, sign_extend, preserve };

/// A source operand.
struct Source {
  u16 code = 0;  ///< operand code; `first_vgpr` and up are VGPRs. For an AGPR operand, its number
  bool negate = false;
  bool absolute = false;
  bool sign_extend = false;  ///< applies to the selected part
  Select select = Select::dword;

  [[nodiscard]] constexpr bool is_vgpr() const { return code >= first_vgpr; }
  /// True for the inline constants from 0.5 on, whose bits depend on the format of the operand.
  [[nodiscard]] constexpr bool is_floating_constant() const { return code >= 240 && code <= 248; }
  friend constexpr bool operator==(const Source&, const Source&) = default;
};

/// Operands of memory instructions only.
struct MemoryOperands {
  u8 address = 0;      ///< VGPR: address, offset or index
  u8 data = 0;         ///< VGPR, or AGPR with `is_accumulator`: loaded or stored data
  u8 second_data = 0;  ///< DS: data for the second address, or second operand of an atomic
  u8 result = 0;       ///< VGPR or AGPR: result of an instruction that also takes data. MUBUF: the data register
  u8 descriptor = 0;   ///< MUBUF and MTBUF: operand code of the first of four SGPRs
  u8 format = 0;       ///< MTBUF: DATA_FORMAT, then NUM_FORMAT from bit 4 on
  u8 scalar = 0;       ///< MUBUF and MTBUF: operand code of SOFFSET; GLOBAL and SCRATCH: of SADDR
  bool has_address = false;
  bool has_scalar = false;  ///< GLOBAL and SCRATCH
  bool is_accumulator = false;
  bool offen = false;   ///< the VGPR holds an offset
  bool idxen = false;   ///< the VGPR holds an index; with `offen` the next VGPR holds the offset
  bool addr64 = false;  ///< the VGPRs hold a 64-bit address
  bool lds = false;     ///< loaded data is written to shared memory
  bool glc = false;     ///< cache policy: SC0 on CDNA 3
  bool slc = false;     ///< NT on CDNA 3
  bool sc1 = false;     ///< from CDNA 2 on, called SCC there
  bool tfe = false;
  bool gds = false;
  i32 offset = 0;        ///< bytes
  u8 second_offset = 0;  ///< second of two addresses; both are in units of the access size

  friend constexpr bool operator==(const MemoryOperands&, const MemoryOperands&) = default;
};

/// One decoded and checked instruction: its operands exist on the generation, and its row allows all of its modifiers.
struct Instruction {
  Insn insn{};
  Form form = Form::e32;
  u8 dwords = 1;
  u8 destination = 0;       ///< VGPR or AGPR, or operand code of a scalar register
  u8 mask_destination = 0;  ///< operand code of the written pair
  u8 mask_source = 0;       ///< operand code of the pair that is read
  std::array<Source, 3> sources{};
  bool clamp = false;
  u8 output_modifier = 0;  ///< 1: times 2, 2: times 4, 3: times 1/2
  u8 op_sel = 0;           ///< one bit per source, then one for the destination; for exchanged lanes FI, BOUND_CTRL
  u8 op_sel_hi = 0;        ///< packed: `op_sel` for the upper half of the result
  u8 negate_hi = 0;        ///< packed: `negate` for the upper half of the result
  u8 truth_table = 0;      ///< the result for each value of three bits; src0 is the highest bit
  Select destination_select = Select::dword;
  Unused destination_unused = Unused::pad;
  Dpp dpp{};
  u32 literal = 0;
  MemoryOperands memory{};

  friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};

/// True if a memory instruction writes VGPRs: loaded data, or the old value of an atomic.
bool has_result(const Instruction& instruction);
/// The VGPR, or AGPR with `is_accumulator`, of the result of a memory instruction.
u8 result_register(const Instruction& instruction);

/// True for an atomic whose effect depends on the order of lanes that access one address.
bool depends_on_order(const Instruction& instruction);

/// True if the result on hardware may differ: approximations, and conversions of typed buffers, whose rounding is not
/// documented, unless the instruction names a format of integers or of 32-bit floats.
bool is_approximate(const Instruction& instruction);

/// Decodes the vector instruction that starts at `words[0]`. Nothing if it is not one of `Insn`, has a feature that its
/// row does not (a modifier), names a register that does not exist, or is truncated.
std::optional<Instruction> decode(Generation generation, std::span<const u32> words);

}  // namespace salu::isa::vector
