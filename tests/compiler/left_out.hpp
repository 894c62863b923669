#pragma once

#include "compiler/suite.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace salu::compiler_test {

/// A function with a selector at a level on a processor.
struct Row {
  std::string function;
  std::string selector;
  std::string level;
  std::string processor;
  friend auto operator<=>(const Row&, const Row&) = default;
};

/// What LLVM 19 is to blame for, and how, by row: left_out.txt, of lines `function selector level processor... # why`,
/// `all` for every one. Throws std::runtime_error with file and line where it says what is not so.
const std::map<Row, std::string>& left_out();

/// Why a function is left out, or null.
const std::string* why_left_out(const Configuration& configuration, const std::string& function);

/// The functions that LLVM could not compile for a configuration, by its messages.
const std::set<std::string>& not_compiled(const Configuration& configuration);

}  // namespace salu::compiler_test
