#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assembler/lexer.hpp"

namespace salu::assembler {

/// One of the texts that an assembly is made of.
struct SourceText {
  enum class Kind : u8 {
    main,       ///< the text that was given
    file,       ///< of `.include`
    expansion,  ///< of a macro or a repetition
  };
  Kind kind = Kind::main;
  std::string_view text;
  u32 file = 0;                 ///< index into `Sources::files`: where its lines were written
  u32 first_line = 1;           ///< line of the text's first line in that file
  u32 first_column = 1;         ///< column of the text's first column in that file (assembly inside YAML)
  u32 repeated_lines = 0;       ///< lines of one round of a repetition; 0: it is none
  TextPosition used_at;         ///< what brought it in; not of the main text
  std::string what;             ///< what was expanded, for messages: "macro 'm'", "'.rept'"
  std::size_t open_levels = 0;  ///< conditionals that were open when it was entered
};

/// All texts of an assembly. What is added stays where it is, so that names may point into it.
class Sources {
 public:
  /// The main text, which is number 0 and has to outlive this.
  Sources(std::string_view text, std::string file, u32 first_line, u32 first_column);

  [[nodiscard]] const SourceText& at(u32 source) const { return texts_[source]; }
  [[nodiscard]] u32 count() const { return static_cast<u32>(texts_.size()); }
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  /// Keeps a text and gives its number. `entry.text` is set here.
  u32 add(SourceText entry, std::string text);
  /// Keeps a name that is no part of a text.
  std::string_view keep(std::string name) { return owned_.emplace_back(std::move(name)); }
  /// The number of a file's name in `files`.
  u32 add_file(std::string name);

  /// Line of a place in the file in which it was written.
  [[nodiscard]] u32 line_of(const TextPosition& place) const;
  /// Line and column of a place in the file in which it was written.
  [[nodiscard]] SourcePlace locate(const TextPosition& place) const;
  /// The line of a place, for a caret under its column; empty where it is too long to be shown.
  [[nodiscard]] std::string source_line(const TextPosition& place) const;
  /// Which expansions a place is in, innermost first: ` (in macro 'm', used in line 7)`; empty in none.
  [[nodiscard]] std::string expansions_of(const TextPosition& place) const;
  /// The place in a file that is run: of what is in an expansion, where the outermost one is used.
  [[nodiscard]] TextPosition place_in_file(TextPosition place) const;
  /// Offset in the main text of what brought a place in.
  [[nodiscard]] std::size_t main_offset(TextPosition place) const;

 private:
  [[nodiscard]] std::size_t line_start(const TextPosition& place) const;

  std::vector<SourceText> texts_;
  std::deque<std::string> owned_;
  std::vector<std::string> files_;
};

}  // namespace salu::assembler
