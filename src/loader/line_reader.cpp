#include "loader/line_reader.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace salu::loader {
namespace {

constexpr std::size_t chunk_bytes = 1 << 16;
constexpr std::size_t longest_line_bytes = 1 << 20;

}  // namespace

LineReader::LineReader(const std::string& path, std::function<void()> before_waiting)
    : before_waiting_(std::move(before_waiting)),
      descriptor_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY)) {
  if (descriptor_ < 0) error_ = errno;
}

LineReader::~LineReader() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

bool LineReader::next(std::string& line) {
  std::size_t end = 0;
  while ((end = buffer_.find('\n', start_)) == std::string::npos && !at_end_) fill();
  if (error_ != 0 || (end == std::string::npos && start_ == buffer_.size())) return false;
  line = buffer_.substr(start_, end - start_);
  start_ = std::min(end, buffer_.size() - 1) + 1;
  return true;
}

std::string LineReader::problem() const {
  if (error_ == EFBIG) return fmt::format("a line of more than {} bytes", longest_line_bytes);
  return error_ == 0 ? std::string() : std::string("cannot read the file: ") + std::strerror(error_);
}

void LineReader::fill() {
  before_waiting_();
  buffer_.erase(0, start_);
  start_ = 0;
  if (buffer_.size() > longest_line_bytes) error_ = EFBIG;
  const std::size_t old_size = buffer_.size();
  buffer_.resize(old_size + chunk_bytes);
  ssize_t count = -1;
  while (error_ == 0 && (count = read(descriptor_, buffer_.data() + old_size, chunk_bytes)) < 0) {
    if (errno != EINTR) error_ = errno;
  }
  buffer_.resize(old_size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  at_end_ = count <= 0;
}

}  // namespace salu::loader
