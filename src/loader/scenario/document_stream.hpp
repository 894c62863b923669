#pragma once

#include <salu/error.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// Takes the next bytes of a stream into a buffer and says how many there were: none at its end.
using ReadBytes = std::function<std::size_t(std::span<char> buffer)>;

/// The documents of a stream of YAML, one after another. Each is a source of its own, so that a stream may be of any
/// length as long as its documents are within the limits.
class DocumentStream {
 public:
  /// `begin` is what was read before; `read` gives the rest, and may be empty when there is none.
  DocumentStream(std::string begin, ReadBytes read, std::string path);

  /// The next document that holds something, or what is wrong with it; nothing at the end. Lines count from the start
  /// of the stream. Nothing is read behind a document that is too large. Rejects what `read` rejects.
  std::optional<Result<std::shared_ptr<const Document>>> next();
  /// Whether its end has not been read.
  [[nodiscard]] bool goes_on() const { return !ended_; }

 private:
  struct Part {
    std::string text;
    u32 first_line = 1;
    bool is_too_large = false;
  };
  std::optional<Part> cut();
  Part take(std::size_t end, std::size_t next);
  /// False at the end of the stream.
  bool read_more();
  Result<std::shared_ptr<const Document>> parse(Part part) const;

  std::string path_;
  ReadBytes read_;
  std::string buffer_;
  std::size_t start_ = 0;  ///< of the document that is being read
  u32 start_line_ = 1;
  std::size_t line_start_ = 0;  ///< of the line that is looked at next
  u32 line_ = 1;
  std::size_t searched_ = 0;  ///< there is no end of that line before here
  DocumentMarkers markers_;
  bool ended_ = false;
};

}  // namespace salu::loader
