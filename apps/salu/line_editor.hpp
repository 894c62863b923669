#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace salu::app {

/// Lines that somebody types on the terminal, with history (arrows, Ctrl-R) and completion (Tab). Which keys do what is
/// said here and by nobody's settings: some of the library's own commands crash it.
class LineEditor {
 public:
  /// Why lines cannot be edited on this terminal; empty when they can. Asked before there is an editor.
  static std::string terminal_problem();
  /// The same while there is one.
  [[nodiscard]] std::string problem() const;

  /// Words that may stand where the last word of a line stands.
  using Completion = std::function<std::vector<std::string>(std::string_view line)>;

  /// `history`: lines of former runs, the oldest first.
  explicit LineEditor(Completion completion, const std::vector<std::string>& history = {});
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  struct Typed {
    enum class Kind : bool { line, end };
    Kind kind = Kind::end;
    std::string line{};
  };
  /// The next line, without its end. What Ctrl-C gives up is not returned; no other signal reaches anybody meanwhile
  /// but those that end the program.
  Typed read(std::string_view prompt);
  /// Whether the answer to a question is yes. Ctrl-C and the end of the input say no.
  bool ask(std::string_view question);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace salu::app
