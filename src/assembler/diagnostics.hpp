#pragma once

#include <salu/error.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "assembler/assembler.hpp"
#include "assembler/lexer.hpp"
#include "assembler/sources.hpp"

namespace salu::assembler {

/// Collects errors and remarks with their source positions.
class Diagnostics {
 public:
  explicit Diagnostics(const Sources& sources) : sources_(sources) {}

  void error(const TextPosition& place, std::string message, ErrorCode code = ErrorCode::assembly);
  void remark(const TextPosition& place, std::string message);

  /// True if the limit for errors is reached and assembling should stop.
  [[nodiscard]] bool full() const { return errors_.size() >= most_errors; }
  /// Discards what was reported after a point, for trial parses.
  [[nodiscard]] std::size_t error_count() const { return errors_.size(); }

  /// Moves all errors and remarks into the result, in the order of the text.
  void finish(Assembly& assembly);

  /// Limit for reported errors.
  static constexpr std::size_t most_errors = 10;
  /// Limit for reported remarks.
  static constexpr std::size_t most_remarks = 100;

 private:
  template <class T>
  struct Entry {
    std::size_t offset;  // in the main text
    std::size_t number;  // order of reporting, for diagnostics at one offset
    T content;
  };
  const Sources& sources_;
  std::vector<Entry<Error>> errors_;
  std::vector<Entry<Remark>> remarks_;
};

}  // namespace salu::assembler
