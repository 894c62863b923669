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

/// One of the texts of an assembly.
struct SourceText {
  enum class Kind : u8 {
    main,       ///< the input text
    file,       ///< of `.include`
    expansion,  ///< of a macro or a repetition
  };
  Kind kind = Kind::main;
  std::string_view text;
  u32 file = 0;                 ///< index into `Sources::files`: the file that contains its lines
  u32 first_line = 1;           ///< line of the first line of the text in that file
  u32 first_column = 1;         ///< column of the first column of the text in that file (assembly inside YAML)
  u32 repeated_lines = 0;       ///< lines of one iteration of a repetition; 0: not a repetition
  TextPosition used_at;         ///< the statement that uses it; unused for the main text
  std::string what;             ///< the kind of expansion, for messages: "macro 'm'", "'.rept'"
  std::size_t open_levels = 0;  ///< conditionals that were open at its start
};

/// All texts of an assembly. Added texts keep their address, so that names can point into them.
class Sources {
 public:
  /// The main text, which has number 0 and must outlive this object.
  Sources(std::string_view text, std::string file, u32 first_line, u32 first_column);

  [[nodiscard]] const SourceText& at(u32 source) const { return texts_[source]; }
  [[nodiscard]] u32 count() const { return static_cast<u32>(texts_.size()); }
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  /// Stores a text and returns its number. `entry.text` is set here.
  u32 add(SourceText entry, std::string text);
  /// Stores a name that is not part of a text.
  std::string_view keep(std::string name) { return owned_.emplace_back(std::move(name)); }
  /// The number of a file in `files`.
  u32 add_file(std::string name);

  /// The line of a position in its file.
  [[nodiscard]] u32 line_of(const TextPosition& place) const;
  /// The line and column of a position in its file.
  [[nodiscard]] SourcePlace locate(const TextPosition& place) const;
  /// The source line of a position, for a caret under its column; empty if it is too long to be shown.
  [[nodiscard]] std::string source_line(const TextPosition& place) const;
  /// The expansions that contain a position, innermost first: ` (in macro 'm', used in line 7)`; empty outside of
  /// expansions.
  [[nodiscard]] std::string expansions_of(const TextPosition& place) const;
  /// The position in a file for a debugger: for a position in an expansion, the place where the outermost one is used.
  [[nodiscard]] TextPosition place_in_file(TextPosition place) const;
  /// The offset in the main text of the statement that led to a position.
  [[nodiscard]] std::size_t main_offset(TextPosition place) const;

 private:
  [[nodiscard]] std::size_t line_start(const TextPosition& place) const;

  std::vector<SourceText> texts_;
  std::deque<std::string> owned_;
  std::vector<std::string> files_;
};

}  // namespace salu::assembler
