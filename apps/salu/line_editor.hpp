#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace salu::app {

/// Reads lines from the terminal, with history (arrows, Ctrl-R) and completion (Tab). The key bindings are fixed,
/// without user settings, because some commands of libedit crash it.
class LineEditor {
 public:
  /// Returns why lines cannot be edited on this terminal, or "". To be called before an editor exists.
  static std::string terminal_problem();
  /// Returns why lines cannot be edited any more, or "".
  [[nodiscard]] std::string problem() const;

  /// Returns the completions of the last word of a line.
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
  /// Reads the next line, without its line end. Lines abandoned with Ctrl-C are not returned. Meanwhile only signals
  /// that end the program have an effect.
  Typed read(std::string_view prompt);
  /// Asks a question. Returns true for yes; Ctrl-C and the end of the input mean no.
  bool ask(std::string_view question);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace salu::app
