#pragma once

#include <salu/error.hpp>

#include <string>
#include <utility>

namespace salu::loader {

/// The exception for invalid input. It is thrown anywhere in this module and caught at the module's entry points, which
/// return it as an `Error`. It never leaves src/loader.
class Rejection {
 public:
  explicit Rejection(Error error) : error_(std::move(error)) {}
  [[nodiscard]] Error&& take() && { return std::move(error_); }

 private:
  Error error_;
};

[[noreturn]] inline void reject(ErrorCode code, SourcePlace where, std::string message, std::string source_line = {}) {
  throw Rejection(Error{code, std::move(where), std::move(message), std::move(source_line)});
}

}  // namespace salu::loader
