#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/llvm.hpp"
#include "isa/vector/decode.hpp"

/// Encodings of vector instructions to compare. The positions of fields are repeated here, from the manuals and not
/// from the decoder, so that both check each other.
namespace salu::conformance::vector {

/// A row in one of its encodings.
struct EncodedForm {
  isa::vector::Insn insn{};
  isa::vector::Form form{};
  bool returns = false;  ///< an atomic with GLC
};

/// All forms of a generation.
std::vector<EncodedForm> all_forms(Generation generation);

/// The instruction with legal operands that differ from each other, and without modifiers.
Words plain_words(Generation generation, const EncodedForm& form);

/// The operands of a memory instruction: rows with equal results accept the same operands.
std::vector<u32> operands_of(const isa::vector::Access& access);

/// The number of samples for each form.
struct Density {
  bool every_code = false;       ///< of operands, even if another row with the same operands has been sampled with them
  bool every_code_once = false;  ///< for one of the rows with the same operands
  int random = 0;                ///< samples with several fields changed
};

/// Every form of every row, each field in turn with many values, legal or not, while the other fields are plain; then
/// several fields at once.
std::vector<Words> samples(Generation generation, const Density& density);

/// Every opcode number in every format, with operands that most instructions accept.
std::vector<Words> opcode_words(Generation generation);

/// Random words of the formats, `count` for each.
std::vector<Words> random_words(Generation generation, int count);

/// The text of the decoder and the disassembler; nothing if the words are not exactly one instruction of a row.
std::optional<std::string> text_of(Generation generation, const Words& words);

/// Names of the rows in assembly, on any generation.
bool is_row_name(std::string_view name);

/// The mnemonic of a line without the suffix of the encoding.
std::string name_of(std::string_view text);

}  // namespace salu::conformance::vector
