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

/// What kind of input an `Error` is about. The names are part of the JSON interface (`error.code`).
enum class ErrorCode : u8 {
  usage,      ///< the command line, or an API call that makes no sense
  io,         ///< a file that cannot be read or written
  yaml,       ///< a scenario that is no well-formed YAML
  scenario,   ///< well-formed YAML that is no valid scenario
  assembly,   ///< assembly text
  words,      ///< hexadecimal words or binary code
  elf,        ///< an ELF code object
  target,     ///< an unknown target, or one that contradicts the code
  overwrite,  ///< a file that the caller is going to write (`FileRules::outputs`) would be read
  memory,     ///< there was no memory for it
};

/// The code's name as it appears in JSON: `usage`, `io`, `yaml`, ...
std::string_view error_code_name(ErrorCode code);

/// Where something is in the outside world. Lines and columns count from 1; 0 means "not known".
struct SourcePlace {
  std::string file;  ///< as the user named it; `<stdin>` for standard input; may be empty
  u32 line = 0;
  u32 column = 0;
  std::optional<u64> offset_bytes{};  ///< for binary files

  // With constructors it is none of the aggregates that GCC 12 destroys twice: those in braces within other braces,
  // when what comes behind them throws.
  SourcePlace() = default;
  SourcePlace(std::string of_file, u32 at_line = 0, u32 at_column = 0, std::optional<u64> at_offset_bytes = {})
      : file(std::move(of_file)), line(at_line), column(at_column), offset_bytes(at_offset_bytes) {}

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// Something accepted but probably not meant, found while loading (not while running).
struct Remark {
  SourcePlace where;
  std::string message;
  std::string source_line;  ///< the line in question for a caret under `where.column`; may be empty

  /// `file:line:column: warning: message`, then the source line and a caret.
  [[nodiscard]] std::string to_string() const;
};

/// Bad input from outside: what is wrong, where, what was expected, what to do.
struct Error {
  ErrorCode code = ErrorCode::usage;
  SourcePlace where;
  std::string message;
  std::string source_line;        ///< the offending line for a caret under `where.column`; may be empty
  std::vector<Remark> remarks{};  ///< what was noticed in the same assembly text
  std::vector<Error> more{};      ///< the further errors of the same assembly text, in order

  /// `file:line:column: error: message`, then the source line and a caret when both are known. `remarks` come before
  /// it and `more` behind it, in the same form, a line break between them.
  [[nodiscard]] std::string to_string() const;
};

/// A value or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  // Both conversions are implicit so that `return value;` and `return Error{...};` read the same.
  /// There is a value.
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  /// There is none, for this reason.
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  /// True when there is a value.
  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  /// The same, for conditions.
  explicit operator bool() const { return has_value(); }

  /// The value. There has to be one: `std::bad_variant_access` is thrown otherwise. `*` and `->` are the same.
  [[nodiscard]] T& value() & { return std::get<0>(content_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(content_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The reason why there is no value. There must be none: `std::bad_variant_access` is thrown otherwise.
  [[nodiscard]] const Error& error() const& { return std::get<1>(content_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(content_)); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace salu
