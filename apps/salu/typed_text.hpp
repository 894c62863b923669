#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace salu::app {

/// Decodes typed bytes as UTF-8. Drops invalid bytes.
class CharacterReader {
 public:
  /// Returns the character that this byte completes, if any.
  std::optional<wchar_t> take(char byte);

 private:
  std::string pending_;
};

std::string to_utf8(std::wstring_view text);

}  // namespace salu::app
