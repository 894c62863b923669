#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace salu {

/// The kind of input that an `Error` is about. The names are part of the JSON interface (`error.code`).
enum class ErrorCode : u8 {
  usage,      ///< invalid command line or API call
  io,         ///< a file that cannot be read or written
  yaml,       ///< a scenario that is not well-formed YAML
  scenario,   ///< well-formed YAML that is not a valid scenario
  assembly,   ///< assembly text
  words,      ///< hexadecimal words or binary code
  elf,        ///< an ELF code object
  target,     ///< an unknown target, or one that contradicts the code
  overwrite,  ///< an input file is also an output file of the caller (`FileRules::outputs`)
  memory,     ///< out of memory
};

/// The code's name as it appears in JSON: `usage`, `io`, `yaml`, ...
std::string_view error_code_name(ErrorCode code);

/// A place in an input file. Lines and columns count from 1; 0 means unknown.
struct SourcePlace {
  std::string file;  ///< as the user named it; `<stdin>` for standard input; may be empty
  u32 line = 0;
  u32 column = 0;
  std::optional<u64> offset_bytes{};  ///< for binary files

  // Has constructors because GCC 12 destroys an aggregate in nested braces twice if a later initializer throws.
  SourcePlace() = default;
  SourcePlace(std::string of_file, u32 at_line = 0, u32 at_column = 0, std::optional<u64> at_offset_bytes = {})
      : file(std::move(of_file)), line(at_line), column(at_column), offset_bytes(at_offset_bytes) {}

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// A warning from loading: the input is accepted, but is probably not what the user meant.
struct Remark {
  SourcePlace where;
  std::string message;
  std::string source_line;  ///< the source line, for a caret under `where.column`; may be empty

  /// `file:line:column: warning: message`, then the source line and a caret.
  [[nodiscard]] std::string to_string() const;
};

/// An error in the input: its place, a description with the accepted input, and a remedy if known.
struct Error {
  ErrorCode code = ErrorCode::usage;
  SourcePlace where;
  std::string message;
  std::string source_line;        ///< the offending line for a caret under `where.column`; may be empty
  std::vector<Remark> remarks{};  ///< warnings for the same assembly text
  std::vector<Error> more{};      ///< further errors in the same assembly text, in order

  /// `file:line:column: error: message`, then the source line and a caret if both are known. `remarks` are printed
  /// before it and `more` after it, in the same form, separated by line breaks.
  [[nodiscard]] std::string to_string() const;
};

/// A value, or the error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  // Both conversions are implicit so that `return value;` and `return Error{...};` read the same.
  /// Holds a value.
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  /// Holds an error.
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  /// True if it holds a value.
  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  /// True if it holds a value, for conditions.
  explicit operator bool() const { return has_value(); }

  /// Returns the value; throws `std::bad_variant_access` for an error. `*` and `->` do the same.
  [[nodiscard]] T& value() & { return std::get<0>(content_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(content_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// Returns the error; throws `std::bad_variant_access` if there is a value.
  [[nodiscard]] const Error& error() const& { return std::get<1>(content_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(content_)); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace salu
