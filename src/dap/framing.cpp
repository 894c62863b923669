#include "dap/framing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "support/names.hpp"
#include "support/printable.hpp"

namespace salu::dap {
namespace {

constexpr std::string_view end_of_line = "\r\n";

/// Shortens external text and escapes control characters.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  return "`" + support::printable(text.substr(0, most)) + (text.size() > most ? "...`" : "`");
}

}  // namespace

void Framing::feed(std::string_view bytes) {
  if (!problem_.empty()) return;
  if (start_ != 0) {
    buffer_.erase(0, start_);
    searched_ -= std::min(searched_, start_);
    start_ = 0;
  }
  buffer_ += bytes;
}

std::optional<std::string> Framing::next() {
  if (!problem_.empty()) return std::nullopt;
  if (!is_header_read_ && !read_header()) return std::nullopt;
  if (buffer_.size() - start_ < *length_) return std::nullopt;
  std::string message = buffer_.substr(start_, *length_);
  start_ += *length_;
  searched_ = start_;
  header_bytes_ = 0;
  length_.reset();
  is_header_read_ = false;
  return message;
}

/// Reads header lines. Returns true after a complete, valid header.
bool Framing::read_header() {
  while (true) {
    const std::size_t end = buffer_.find(end_of_line, std::max(start_, searched_));
    const std::size_t bytes = std::min(end, buffer_.size()) - start_;
    if (header_bytes_ + bytes > most_header_bytes)
      return fail(fmt::format("the header is longer than {} bytes", most_header_bytes));
    if (end == std::string::npos) {
      searched_ = std::max(start_, buffer_.size() - std::min(buffer_.size(), end_of_line.size() - 1));
      return false;
    }
    const std::string line = buffer_.substr(start_, bytes);
    start_ = end + end_of_line.size();
    header_bytes_ += bytes + end_of_line.size();
    if (line.empty()) break;
    if (!read_field(line)) return false;
  }
  if (!length_) return fail("missing `Content-Length` in the header");
  is_header_read_ = true;
  return true;
}

/// Reads one line of a header.
bool Framing::read_field(std::string_view line) {
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string name = support::lower_case(line.substr(0, colon));
  const bool is_length = name == "content-length";
  if (colon == line.size() || (!is_length && name != "content-type"))
    return fail("expected a header such as `Content-Length: 119`, found " + shown(line));
  return !is_length || read_length(support::trim(line.substr(colon + 1)));
}

bool Framing::read_length(std::string_view text) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool is_number = end == text.data() + text.size() && !text.empty();
  if (!is_number || (error != std::errc{} && error != std::errc::result_out_of_range))
    return fail("`Content-Length` is not a number: " + shown(text));
  if (error != std::errc{} || length > most_message_bytes) {
    return fail(fmt::format("a message of {} bytes; the limit is {}", text.substr(0, 40), most_message_bytes));
  }
  if (length_ && *length_ != length) return fail("two different values of `Content-Length`");
  length_ = length;
  return true;
}

bool Framing::fail(std::string problem) {
  problem_ = std::move(problem);
  header_bytes_ = 0;
  length_.reset();
  is_header_read_ = false;
  buffer_.clear();
  start_ = 0;
  return false;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace salu::dap
