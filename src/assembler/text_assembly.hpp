#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assembler/assembler.hpp"
#include "assembler/conditionals.hpp"
#include "assembler/diagnostics.hpp"
#include "assembler/expression.hpp"
#include "assembler/kernel_block.hpp"
#include "assembler/kernel_header.hpp"
#include "assembler/lexer.hpp"
#include "assembler/macros.hpp"
#include "assembler/operands.hpp"
#include "assembler/sections.hpp"
#include "assembler/sources.hpp"

namespace salu::assembler {

/// True if a statement that begins with this token opens, continues or closes a conditional.
bool is_conditional(const Token& token);

/// Assembles one text: statement by statement, then the fields that depend on labels.
class TextAssembly {
 public:
  TextAssembly(std::string_view text, const Options& options);

  Assembly run();

 private:
  /// A field that is filled in when all labels are known.
  struct Pending {
    u32 section;
    u64 offset;      ///< in the section, of the instruction's or datum's first byte
    u32 data_bytes;  ///< of a datum; 0 for an instruction
    Fixup fixup;
  };

  /// A kernel descriptor that is filled in when all symbols are known.
  struct PendingKernel {
    TextPosition place;  ///< of `.amdhsa_kernel`
    u32 section;
    u64 offset;  ///< of the descriptor in the section
    KernelBlock block;
    std::vector<std::pair<Token, Expression>> values;  ///< by directive
  };

  /// The header of a kernel that is filled in when all symbols are known.
  struct PendingHeader {
    u64 offset;                                        ///< in the code
    std::vector<std::pair<Token, Expression>> values;  ///< by field
  };

  /// The properties of a symbol from `.type`, `.size` and `.amdgpu_hsa_kernel`.
  struct Declared {
    bool is_function = false;
    bool has_header = false;
    std::optional<Expression> size;
  };

  using DirectiveHandler = bool (*)(TextAssembly& assembly, const Token& directive);
  struct DirectiveRow {
    std::string_view name;
    DirectiveHandler handler;
  };
  static DirectiveHandler find_text_directive(std::string_view name);

  u32 predefine(std::string_view name, i64 number);
  void raise(u32 symbol, i64 least);
  void define_target(const Target& target);

  // The functions here return false after they have reported an error; the rest of the line is then skipped.
  bool statement();
  bool named_statement(const Token& token);
  bool define_label(u32 symbol, const TextPosition& place);
  bool assign(std::string_view name, const TextPosition& place, bool fixed);
  bool instruction(const Token& mnemonic);
  bool instruction(const Context& context, const Token& mnemonic);
  bool instruction(const Token& mnemonic, const isa::EncodedWords& encoded, std::optional<Fixup> fixup);
  bool keep_unencoded(const Token& mnemonic);
  bool end_of_statement(std::string_view after);
  bool fail(const TextPosition& place, std::string message);
  /// `fail` for statements that another assembler may support.
  bool fail_unknown(const TextPosition& place, std::string message);
  void fail_for_work(const TextPosition& place);
  [[nodiscard]] std::string line_of(const TextPosition& place) const;

  // text_directives.cpp
  void enter_text();
  bool leave_text();
  bool bring_in(SourceText entry, std::string text);
  bool conditional(const Token& directive);
  std::optional<bool> condition(const Token& directive);
  std::optional<bool> compared_to_zero(std::string_view comparison);
  std::optional<bool> equal_texts(bool in_quotes);
  std::optional<bool> is_defined();
  bool define_macro(const Token& directive);
  [[nodiscard]] SourceText expansion_of(const CapturedBody& body, const TextPosition& used_at, std::string what) const;
  bool use_macro(Macro& macro, const Token& name);
  bool repeat(const Token& directive);
  bool repeat_for_each(const Token& directive);
  bool bring_in_rounds(const CapturedBody& body, const Token& directive, std::string text);
  bool exit_macro(const Token& directive);
  bool purge_macro();
  std::optional<IncludedFile> named_file();
  bool include();
  bool end();
  bool message(const Token& directive);
  std::optional<std::string_view> quoted_text(std::string_view what);
  [[nodiscard]] ExpressionValue alternate_value();

  // directives.cpp
  bool directive(const Token& token);
  bool set_directive(bool fixed);
  bool target_directive(const Token& token);
  bool symbols_that_are(bool weak);
  bool symbol_type();
  bool symbol_size();
  bool skip_block(const Token& directive);
  bool code_object_version();
  bool metadata_block(const Token& directive);
  std::optional<i64> constant();
  std::optional<Expression> expression();
  std::optional<std::string_view> symbol_name();

  // kernel_directives.cpp
  bool kernel_block(const Token& directive);
  bool header_block(const Token& directive);
  bool header_kernel();
  bool kernel_descriptor(std::string_view kernel, const TextPosition& place);
  std::optional<i64> final_number(const Expression& expression);
  void resolve_kernels();
  void resolve_headers();

  // section_directives.cpp
  static DirectiveHandler find_section_directive(std::string_view name);
  bool named_section(bool is_pushed);
  std::optional<std::string> named_flags();
  bool align(bool power_of_two, u32 fill_bytes);
  bool common(bool may_be_aligned);

  // data_directives.cpp
  static DirectiveHandler find_data_directive(std::string_view name);
  bool integers(u32 bytes);
  bool floats(bool is_double);
  bool text_data(bool is_terminated);
  bool fill_repeated();
  bool space(bool takes_value);
  bool include_bytes();
  bool emit_repeated(u64 pattern, u32 pattern_bytes, u64 count, const TextPosition& place);
  bool emit(u64 number, u32 bytes, const TextPosition& place);
  bool emit(std::span<const u8> bytes, const TextPosition& place);
  bool no_room(const TextPosition& place);
  bool fail_not_zero(const TextPosition& place, const Section& section);
  void note_unfinished(const TextPosition& place);

  // fixups.cpp
  void place_sections();
  void resolve();
  void resolve(const Pending& pending);
  [[nodiscard]] bool is_object() const;
  bool leave_to_linker(const Pending& pending, u64 place);
  void resolve_datum(const Pending& pending, const Value& value);
  std::optional<i64> related(const Fixup& fixup, const Value& value, u64 place) const;
  void fill_branch(u32& word, const Fixup& fixup, const Value& value, u64 address);
  void check_definitions();
  void hand_out();

  /// The address of the next byte.
  [[nodiscard]] Value location() const {
    return {static_cast<i64>(sections_.location()), 1, sections_.current_number()};
  }

  const Options& options_;
  const Target* target_;
  Sources sources_;
  Lexer lexer_;                   ///< of the current text
  std::vector<Lexer> outer_;      ///< of the texts that use the current text
  std::optional<u32> next_text_;  ///< to continue with after the current statement
  Diagnostics diagnostics_;
  SymbolTable symbols_;
  Conditionals conditionals_;
  std::unordered_map<std::string_view, Macro> macros_;
  u64 expansions_ = 0;              ///< of macros, for `\@`
  std::size_t expanded_bytes_ = 0;  ///< total size of expansions and included files
  u64 included_bytes_ = 0;          ///< total size of included files; a file counts each time that it is read
  bool alternate_ = false;          ///< `.altmacro`
  bool is_ended_ = false;           ///< `.end`
  /// Symbols: the number of registers that the code up to here uses (LLVM AMDGPUUsage, predefined symbols).
  u32 next_free_sgpr_ = 0;
  u32 next_free_vgpr_ = 0;
  std::vector<Pending> pending_;
  std::vector<PendingKernel> kernels_;
  std::vector<PendingHeader> headers_;
  std::vector<u32> labels_;  ///< symbols of the named labels, in the order of the text
  std::unordered_map<u32, Declared> declared_;
  Sections sections_;
  std::optional<TextPosition> unfinished_;  ///< the statement that begins an incomplete dword of code
  bool is_given_up_ = false;                ///< the rest of the text is not read
  Assembly assembly_;
};

}  // namespace salu::assembler
