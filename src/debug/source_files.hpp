#pragma once

#include <salu/error.hpp>

#include <map>
#include <string>
#include <vector>

namespace salu::debug {

/// The lines of source files. Each file is read on its first use.
class SourceFiles {
 public:
  /// Returns the lines of a file, or null if it cannot be read.
  const std::vector<std::string>* find(const std::string& file);
  /// The errors of existing files that could not be read.
  [[nodiscard]] std::vector<Error> problems() const;

 private:
  std::map<std::string, Result<std::vector<std::string>>> files_;
};

}  // namespace salu::debug
