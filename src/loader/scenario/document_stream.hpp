#pragma once

#include <salu/error.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// Reads the next bytes of a stream into a buffer and returns their number; 0 at its end.
using ReadBytes = std::function<std::size_t(std::span<char> buffer)>;

/// Splits a YAML stream into documents. Each is a separate source, so that a stream may have any length if its
/// documents are within the limits.
class DocumentStream {
 public:
  /// `begin`: the bytes that were already read. `read` returns the rest; it may be empty if all bytes were read.
  DocumentStream(std::string begin, ReadBytes read, std::string path);

  /// Returns the next document that is not empty, or its error; nothing at the end. Lines count from the start of the
  /// stream. Reading stops at a document that is too large. Rejects what `read` rejects.
  std::optional<Result<std::shared_ptr<const Document>>> next();
  /// True if the end of the stream has not been reached.
  [[nodiscard]] bool goes_on() const { return !ended_; }

 private:
  struct Part {
    std::string text;
    u32 first_line = 1;
    bool is_too_large = false;
  };
  std::optional<Part> cut();
  Part take(std::size_t end, std::size_t next);
  /// Reads more bytes; false at the end of the stream.
  bool read_more();
  Result<std::shared_ptr<const Document>> parse(Part part) const;

  std::string path_;
  ReadBytes read_;
  std::string buffer_;
  std::size_t start_ = 0;  ///< start of the current document
  u32 start_line_ = 1;
  std::size_t line_start_ = 0;  ///< start of the next line to check
  u32 line_ = 1;
  std::size_t searched_ = 0;  ///< the line does not end before this offset
  DocumentMarkers markers_;
  bool ended_ = false;
};

}  // namespace salu::loader
