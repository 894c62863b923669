#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace salu::app {

/// Characters from bytes as they are typed, in UTF-8. What is none is dropped.
class CharacterReader {
 public:
  /// The character that ends with this byte, if one does.
  std::optional<wchar_t> take(char byte);

 private:
  std::string pending_;
};

std::string to_utf8(std::wstring_view text);

}  // namespace salu::app
