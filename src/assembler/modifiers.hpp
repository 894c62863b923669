#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string_view>
#include <vector>

#include "assembler/operand_reader.hpp"

/// The modifiers after the operands of a vector instruction: `clamp`, `mul:2`, `offset:16`, `op_sel:[0,1]`,
/// `src0_sel:WORD_1`, `quad_perm:[0,1,2,3]`.
namespace salu::assembler {

/// One modifier as written.
struct Modifier {
  enum class Kind : u8 { flag, number, bits, lanes, word, format };
  std::string_view name;  ///< LLVM's name, lower case
  Kind kind{};
  TextPosition place;
  i64 number = 0;
  u32 bits = 0;             ///< of a list; the first entry is the lowest bit, or the lowest two bits for lanes
  u8 count = 0;             ///< number of entries
  std::string_view word;    ///< as written
  bool is_swizzle = false;  ///< `number` is the pattern of `swizzle(...)`
};

/// True for a modifier that selects the lanes of DPP.
bool is_dpp_control(const Modifier& modifier);

/// Reads modifiers up to the end of the statement.
class ModifierReader : private OperandReader {
 public:
  explicit ModifierReader(const Context& context) : OperandReader(context) {}

  /// True if the next token is the name of a modifier.
  [[nodiscard]] bool is_next() const;
  /// Reads all modifiers; each may occur once. Nothing if an error was reported.
  std::optional<std::vector<Modifier>> read();

 private:
  bool read_value(Modifier& modifier);
  bool read_bits(Modifier& modifier);
  bool read_lanes(Modifier& modifier);
  bool read_swizzle(Modifier& modifier);
  bool read_format(Modifier& modifier);
  bool read_quad(Modifier& modifier);
  bool read_bit_mask(Modifier& modifier);
  /// A number after a comma. `what`: for messages.
  std::optional<u32> next_number(std::string_view what, u32 lowest, u32 highest);
  /// The same for a power of two.
  std::optional<u32> next_power(std::string_view what, u32 lowest, u32 highest);
};

}  // namespace salu::assembler
