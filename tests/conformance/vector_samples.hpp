#pragma once

#include <salu/target.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "conformance/llvm.hpp"
#include "isa/vector/decode.hpp"

/// Encodings of vector instructions to compare. Where fields are is said here once more, from the manuals and not from
/// the decoder, so that one checks the other.
namespace salu::conformance {

/// A row in one of its encodings.
struct VectorForm {
  isa::vector::Insn insn{};
  isa::vector::Form form{};
};

/// Those of a generation.
std::vector<VectorForm> vector_forms(Generation generation);

/// The instruction with legal operands that differ from each other, and with no modifier.
Words plain_vector_words(Generation generation, const VectorForm& form);

/// How much is tried of each form.
struct VectorDensity {
  bool every_code = false;       ///< of operands, even where another row with the same operands has been through them
  bool every_code_once = false;  ///< for one of the rows with the same operands
  int random = 0;                ///< samples with several fields changed
};

/// Every form of every row, each field in turn with many values, legal or not, while the others are plain; then
/// several at once.
std::vector<Words> vector_samples(Generation generation, const VectorDensity& density);

/// Every number of an opcode in every format, with operands that few instructions have no use for.
std::vector<Words> vector_opcode_words(Generation generation);

/// Any words of the formats, `count` for each.
std::vector<Words> vector_random_words(Generation generation, int count);

/// Names of the rows in assembly, on any generation.
bool is_vector_row_name(std::string_view name);

/// The mnemonic of a line without the suffix that tells the encoding.
std::string vector_name_of(std::string_view text);

}  // namespace salu::conformance
