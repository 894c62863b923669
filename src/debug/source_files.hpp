#pragma once

#include <salu/error.hpp>

#include <map>
#include <string>
#include <vector>

namespace salu::debug {

/// The lines of source files, each file read when it is asked for the first time.
class SourceFiles {
 public:
  /// The lines of a file, or null when it cannot be read.
  const std::vector<std::string>* find(const std::string& file);
  /// Of the files that were asked for: why those could not be read that are there.
  [[nodiscard]] std::vector<Error> problems() const;

 private:
  std::map<std::string, Result<std::vector<std::string>>> files_;
};

}  // namespace salu::debug
