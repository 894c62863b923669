#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The Debug Adapter Protocol, by which editors drive a debugger
/// (https://microsoft.github.io/debug-adapter-protocol/specification).
namespace salu::dap {

/// The longest message that is taken, and the longest header in front of one.
inline constexpr std::size_t most_message_bytes = std::size_t{8} << 20;
inline constexpr std::size_t most_header_bytes = 4096;

/// Takes a stream of bytes apart into messages: a header with `Content-Length` and perhaps `Content-Type`, an empty
/// line, so many bytes. Anything else in a header is a problem as soon as its line is there: what a browser was made to
/// send to this port must never be taken for a message.
class Framing {
 public:
  /// Bytes of the stream, cut anywhere.
  void feed(std::string_view bytes);
  /// The next whole message, if there is one. Nothing comes any more once there is a problem.
  std::optional<std::string> next();
  /// What is wrong with the stream, a sentence; empty as long as nothing is. No message can be found behind it.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Whether the stream stands in the middle of a message.
  [[nodiscard]] bool is_inside() const { return header_bytes_ != 0 || start_ < buffer_.size(); }

 private:
  bool read_header();
  bool read_field(std::string_view line);
  bool read_length(std::string_view text);
  bool fail(std::string problem);

  std::string buffer_;
  std::size_t start_ = 0;              ///< what is in front of it has been taken
  std::size_t searched_ = 0;           ///< where no line ends before
  std::size_t header_bytes_ = 0;       ///< of the header that is being read, or has been read
  std::optional<std::size_t> length_;  ///< of the message, as its header says
  bool is_header_read_ = false;
  std::string problem_;
};

/// A message with its header in front.
std::string framed(std::string_view message);

}  // namespace salu::dap
