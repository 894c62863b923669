#pragma once

#include <salu/integer.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace salu::debug {

/// The lines of source files, each file read when it is asked for the first time.
class SourceFiles {
 public:
  /// The lines of a file, or null when it cannot be read.
  const std::vector<std::string>* find(const std::string& file);

 private:
  std::map<std::string, std::optional<std::vector<std::string>>> files_;
};

}  // namespace salu::debug
