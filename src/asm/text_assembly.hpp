#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string_view>
#include <vector>

#include "asm/assembler.hpp"
#include "asm/diagnostics.hpp"
#include "asm/expression.hpp"
#include "asm/lexer.hpp"
#include "asm/operands.hpp"

namespace salu::assembler {

/// One text on its way to words: statement by statement, then the fields that had to wait for labels.
class TextAssembly {
 public:
  TextAssembly(std::string_view text, const Options& options)
      : options_(options), lexer_(text), diagnostics_(text, options) {}

  Assembly run();

 private:
  /// A field to fill in when all labels are known.
  struct Pending {
    std::size_t word;  ///< index of the instruction's or datum's first dword
    bool is_data;      ///< a dword of `.long`, not an instruction
    bool is_quad;      ///< two dwords of `.quad`
    Fixup fixup;
  };

  // A function here returns false when it has reported an error; the rest of the line is skipped then.
  bool statement();
  bool named_statement(const Token& token);
  bool define_label(u32 symbol, const TextPosition& place);
  bool assign(std::string_view name, const TextPosition& place, bool fixed);
  bool instruction(const Token& mnemonic);
  bool instruction(const Token& mnemonic, const isa::EncodedWords& encoded, std::optional<Fixup> fixup);
  bool end_of_statement(std::string_view after);
  bool fail(const TextPosition& place, std::string message);

  // directives.cpp
  bool directive(const Token& token);
  bool set_directive(bool fixed);
  bool integers(u32 bytes);
  bool floats(bool is_double);
  bool align(bool power_of_two, u32 fill_bytes);
  bool fill_repeated();
  bool space(bool takes_value);
  bool target_directive(const Token& token);
  bool section(std::string_view name);
  bool section_directive(std::string_view directive);
  bool skip_block(const Token& directive);
  std::optional<i64> constant();
  std::optional<Expression> expression();
  bool emit_bytes(u64 pattern, u32 pattern_bytes, u64 count, const TextPosition& place);
  bool emit(u32 word, const TextPosition& place);

  // fixups.cpp
  void resolve();
  void resolve(Pending& pending);
  std::optional<i64> related(const Fixup& fixup, const Value& value, std::size_t word) const;
  void fill_branch(u32& word, const Fixup& fixup, const Value& value, u64 address);

  [[nodiscard]] u64 location() const { return address_of(assembly_.words.size()); }
  [[nodiscard]] u64 address_of(std::size_t word) const { return options_.base + word * 4; }

  const Options& options_;
  Lexer lexer_;
  Diagnostics diagnostics_;
  SymbolTable symbols_;
  std::vector<Pending> pending_;
  std::vector<u32> labels_;           ///< symbols of the named labels, in the order of the text
  std::vector<bool> outer_sections_;  ///< of `.pushsection`: whether each is assembled
  bool in_code_ = true;               ///< false inside a section that is not assembled
  bool previous_in_code_ = true;
  bool too_large_ = false;
  Assembly assembly_;
};

}  // namespace salu::assembler
