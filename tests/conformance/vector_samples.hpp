#pragma once

#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/llvm.hpp"
#include "isa/vector/decode.hpp"

/// Encodings of vector instructions to compare. Where fields are is said here once more, from the manuals and not from
/// the decoder, so that one checks the other.
namespace salu::conformance::vector {

/// A row in one of its encodings.
struct EncodedForm {
  isa::vector::Insn insn{};
  isa::vector::Form form{};
};

/// Those of a generation.
std::vector<EncodedForm> all_forms(Generation generation);

/// The instruction with legal operands that differ from each other, and with no modifier.
Words plain_words(Generation generation, const EncodedForm& form);

/// How much is tried of each form.
struct Density {
  bool every_code = false;       ///< of operands, even where another row with the same operands has been through them
  bool every_code_once = false;  ///< for one of the rows with the same operands
  int random = 0;                ///< samples with several fields changed
};

/// Every form of every row, each field in turn with many values, legal or not, while the others are plain; then
/// several at once.
std::vector<Words> samples(Generation generation, const Density& density);

/// Every number of an opcode in every format, with operands that few instructions have no use for.
std::vector<Words> opcode_words(Generation generation);

/// Any words of the formats, `count` for each.
std::vector<Words> random_words(Generation generation, int count);

/// What the decoder and the disassembler make of words; nothing where they are not exactly one instruction of a row.
std::optional<std::string> text_of(Generation generation, const Words& words);

/// Names of the rows in assembly, on any generation.
bool is_row_name(std::string_view name);

/// The mnemonic of a line without the suffix that tells the encoding.
std::string name_of(std::string_view text);

}  // namespace salu::conformance::vector
