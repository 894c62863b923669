#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The Debug Adapter Protocol, by which editors drive a debugger
/// (https://microsoft.github.io/debug-adapter-protocol/specification).
namespace salu::dap {

/// The limits of a message and of its header, in bytes.
inline constexpr std::size_t most_message_bytes = std::size_t{8} << 20;
inline constexpr std::size_t most_header_bytes = 4096;

/// Splits a stream of bytes into messages: a header with `Content-Length` and optionally `Content-Type`, an empty line,
/// and the body. Other header lines are an error as soon as they are complete: a request that a browser was made to
/// send to this port must not be taken for a message.
class Framing {
 public:
  /// Adds bytes of the stream, cut anywhere.
  void feed(std::string_view bytes);
  /// The next complete message, if any; nothing after an error.
  std::optional<std::string> next();
  /// The error in the stream, or "". No messages can be found after it.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// True within a message.
  [[nodiscard]] bool is_inside() const { return header_bytes_ != 0 || start_ < buffer_.size(); }

 private:
  bool read_header();
  bool read_field(std::string_view line);
  bool read_length(std::string_view text);
  bool fail(std::string problem);

  std::string buffer_;
  std::size_t start_ = 0;              ///< the bytes before it have been consumed
  std::size_t searched_ = 0;           ///< no line ends before it
  std::size_t header_bytes_ = 0;       ///< of the current header
  std::optional<std::size_t> length_;  ///< of the message, from its header
  bool is_header_read_ = false;
  std::string problem_;
};

/// A message with its header.
std::string framed(std::string_view message);

}  // namespace salu::dap
