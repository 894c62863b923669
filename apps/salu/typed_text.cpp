#include "typed_text.hpp"

#include "support/utf8.hpp"

namespace salu::app {

std::optional<wchar_t> CharacterReader::take(char byte) {
  if (support::utf8_length(byte) != 0) {
    pending_.clear();
  } else if (pending_.empty()) {
    return std::nullopt;
  }
  pending_ += byte;
  if (pending_.size() < support::utf8_length(pending_.front())) return std::nullopt;
  const support::Utf8Character character = support::first_character(pending_);
  pending_.clear();
  if (character.length == 0) return std::nullopt;
  return static_cast<wchar_t>(character.code);
}

std::string to_utf8(std::wstring_view text) {
  std::string result;
  for (const wchar_t each : text) support::append_utf8(result, static_cast<u32>(each));
  return result;
}

}  // namespace salu::app
