#include "loader/scenario/document_stream.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

constexpr std::size_t chunk_bytes = 1 << 16;

}  // namespace

DocumentStream::DocumentStream(std::string begin, ReadBytes read, std::string path)
    : path_(std::move(path)), read_(std::move(read)), buffer_(std::move(begin)) {}

std::optional<Result<std::shared_ptr<const Document>>> DocumentStream::next() {
  while (std::optional<Part> part = cut()) {
    auto document = parse(std::move(*part));
    if (!document || *document != nullptr) return document;
  }
  return std::nullopt;
}

bool DocumentStream::read_more() {
  if (!read_) return false;
  buffer_.erase(0, start_);
  line_start_ -= start_;
  start_ = 0;
  searched_ = buffer_.size();
  buffer_.resize(searched_ + chunk_bytes);
  const std::size_t count = read_(std::span(buffer_).subspan(searched_));
  buffer_.resize(searched_ + count);
  if (count == 0) read_ = {};
  return count != 0;
}

/// Takes the text from the start of the document to `end`. The next document starts at `next`, on the next line.
DocumentStream::Part DocumentStream::take(std::size_t end, std::size_t next) {
  Part part{{}, start_line_, false};
  if (start_ == 0 && next == buffer_.size() && !read_) {
    part.text = std::exchange(buffer_, {});
    part.text.resize(end);
    next = 0;
  } else {
    part.text = buffer_.substr(start_, end - start_);
  }
  start_ = next;
  start_line_ = line_;
  return part;
}

std::optional<DocumentStream::Part> DocumentStream::cut() {
  while (!ended_) {
    const std::size_t newline = buffer_.find('\n', searched_);
    const std::size_t line_end = std::min(newline, buffer_.size());
    if (line_end - start_ > yaml_limit_bytes) {
      ended_ = true;
      return Part{{}, start_line_, true};
    }
    if (newline == std::string::npos && read_more()) continue;
    const std::size_t line_start = line_start_;
    if (line_start == buffer_.size()) {
      ended_ = true;
      if (start_ == line_start) return std::nullopt;
      return take(line_start, line_start);
    }
    line_start_ = searched_ = std::min(line_end + 1, buffer_.size());
    const auto role = markers_.see(std::string_view(buffer_).substr(line_start, line_end - line_start));
    if (role == DocumentMarkers::Line::begins) {
      Part part = take(line_start, line_start);
      ++line_;
      return part;
    }
    ++line_;
    if (role == DocumentMarkers::Line::ends) {
      Part part = take(line_start_, line_start_);
      if (buffer_.empty()) line_start_ = searched_ = 0;
      return part;
    }
  }
  return std::nullopt;
}

Result<std::shared_ptr<const Document>> DocumentStream::parse(Part part) const {
  if (part.is_too_large) {
    return Error{ErrorCode::io,
                 {display_name(path_), part.first_line, 1},
                 fmt::format("too large for a YAML document: the limit is {} MiB", yaml_limit_bytes >> 20),
                 {}};
  }
  try {
    return parse_document(make_source(std::move(part.text), path_, yaml_limit_bytes, part.first_line));
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

}  // namespace salu::loader
