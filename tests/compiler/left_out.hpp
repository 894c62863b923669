#pragma once

#include "compiler/suite.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salu::compiler_test {

/// Why a function is not run for a configuration.
enum class Reason {
  failed,      ///< LLVM reports an error: the result ended up in vector registers
  fallback,    ///< GlobalISel gave up, and what there is comes from SelectionDAG
  vector,      ///< instructions that are not the scalar unit's
  memory,      ///< scalar loads or stores, in a suite that has no memory
  relocation,  ///< an address that nothing can fill in: in a suite without memory any, else one of a driver's symbols
};

std::string_view reason_name(Reason reason);

struct LeftOut {
  Reason reason;
  std::string detail;  ///< the instruction at fault; not part of the list
};

/// What is left out of one configuration, by function. Judged from LLVM's own assembly text and messages alone, that of
/// helper functions included. Throws std::runtime_error where they cannot be read or do not hold a function.
std::map<std::string, LeftOut> find_left_out(const Suite& suite, const Configuration& configuration);

/// The same, read only once.
const std::map<std::string, LeftOut>& left_out_of(const Suite& suite, const Configuration& configuration);

/// One function with one selector at one level.
struct Row {
  std::string function;
  std::string selector;
  std::string level;
  friend auto operator<=>(const Row&, const Row&) = default;
};

/// Reasons by row and processor.
using LeftOutTable = std::map<Row, std::map<std::string, Reason>>;

/// All configurations of all suites together.
LeftOutTable find_all_left_out();

/// Reads left_out.txt: `function selector level reason processor...`, `all` for every processor, `#` for comments.
/// Throws std::runtime_error with file and line.
LeftOutTable read_left_out_list(const std::string& path);

/// The text of a left_out.txt.
std::string write_left_out_list(const LeftOutTable& table);

}  // namespace salu::compiler_test
