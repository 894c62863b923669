#include "dap/framing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "support/names.hpp"

namespace salu::dap {
namespace {

constexpr std::string_view end_of_header = "\r\n\r\n";

/// A text from outside, cut short, without characters that a terminal would act on.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result(text.substr(0, most));
  for (char& character : result) {
    if (character < ' ' || character > '~') character = '.';
  }
  return "`" + result + (text.size() > most ? "...`" : "`");
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
  if (!length_ && !read_header()) return std::nullopt;
  if (buffer_.size() - start_ < *length_) return std::nullopt;
  std::string message = buffer_.substr(start_, *length_);
  start_ += *length_;
  searched_ = start_;
  length_.reset();
  return message;
}

/// Whether a whole header was there, and good.
bool Framing::read_header() {
  const std::size_t end = buffer_.find(end_of_header, std::max(start_, searched_));
  const std::size_t bytes = std::min(end, buffer_.size()) - start_;
  if (bytes > most_header_bytes) return fail(fmt::format("a header of more than {} bytes", most_header_bytes));
  if (end == std::string::npos) {
    searched_ = std::max(start_, buffer_.size() - std::min(buffer_.size(), end_of_header.size() - 1));
    return false;
  }
  std::string_view header = std::string_view(buffer_).substr(start_, bytes);
  while (!header.empty()) {
    const std::size_t line_end = std::min(header.find("\r\n"), header.size());
    if (!read_field(header.substr(0, line_end))) return false;
    header.remove_prefix(std::min(line_end + 2, header.size()));
  }
  if (!length_) return fail("a header without `Content-Length`");
  start_ = end + end_of_header.size();
  return true;
}

/// One line of a header; those that are not about the length are passed over.
bool Framing::read_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    return fail("expected a header such as `Content-Length: 119`, found " + shown(line));
  if (support::lower_case(support::trim(line.substr(0, colon))) != "content-length") return true;
  const std::string_view text = support::trim(line.substr(colon + 1));
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool is_number = end == text.data() + text.size() && !text.empty();
  if (!is_number || (error != std::errc{} && error != std::errc::result_out_of_range))
    return fail("`Content-Length` is no number: " + shown(text));
  if (error != std::errc{} || length > most_message_bytes) {
    return fail(
        fmt::format("a message of {} bytes; the longest that is taken has {}", text.substr(0, 40), most_message_bytes));
  }
  if (length_ && *length_ != length) return fail("two different `Content-Length` in one header");
  length_ = length;
  return true;
}

bool Framing::fail(std::string problem) {
  problem_ = std::move(problem);
  length_.reset();
  buffer_.clear();
  start_ = 0;
  return false;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace salu::dap
