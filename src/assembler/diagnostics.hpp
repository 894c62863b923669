#pragma once

#include <salu/error.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "assembler/assembler.hpp"
#include "assembler/lexer.hpp"
#include "assembler/sources.hpp"

namespace salu::assembler {

/// Collects errors and remarks and knows how to say where they are.
class Diagnostics {
 public:
  explicit Diagnostics(const Sources& sources) : sources_(sources) {}

  void error(const TextPosition& place, std::string message, ErrorCode code = ErrorCode::assembly);
  void remark(const TextPosition& place, std::string message);

  /// Enough errors: the rest of the text is not worth looking at.
  [[nodiscard]] bool full() const { return errors_.size() >= most_errors; }
  /// Forgets what was reported after a point; for trying something out.
  [[nodiscard]] std::size_t error_count() const { return errors_.size(); }

  /// Hands everything out, in the order of the text.
  void finish(Assembly& assembly);

  /// More errors than this are not reported.
  static constexpr std::size_t most_errors = 10;
  /// The same for remarks.
  static constexpr std::size_t most_remarks = 100;

 private:
  template <class T>
  struct Entry {
    std::size_t offset;  // in the main text
    std::size_t number;  // of what was reported, for those at one offset
    T content;
  };
  const Sources& sources_;
  std::vector<Entry<Error>> errors_;
  std::vector<Entry<Remark>> remarks_;
};

}  // namespace salu::assembler
