#include "dap/arguments.hpp"

#include <fmt/core.h>

#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace salu::dap {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr u64 greatest_integer = std::numeric_limits<i64>::max();

/// True if JSON is nested too deeply: eight million nested lists would take a gigabyte.
bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (is_in_string) {
      if (character == '\\') ++i;
      if (character == '"') is_in_string = false;
    } else if (character == '"') {
      is_in_string = true;
    } else if (character == '[' || character == '{') {
      if (++depth > deepest_json) return true;
    } else if ((character == ']' || character == '}') && depth != 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

Arguments::Arguments(const Json* object, std::string path) : object_(object), path_(std::move(path)) {
  if (object_ != nullptr && !object_->is_object()) {
    if (!object_->is_null())
      problem_ = refusal("`" + (path_.empty() ? std::string("arguments") : path_) + "`: expected an object");
    object_ = nullptr;
  }
}

const Json* Arguments::find(const char* name) const {
  if (object_ == nullptr) return nullptr;
  const auto found = object_->find(name);
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

void Arguments::refuse(const char* name, const std::string& expected) {
  if (!problem_)
    problem_ = refusal(fmt::format("`{}{}`: expected {}", path_.empty() ? "" : path_ + ".", name, expected));
}

void Arguments::take_problem(const Arguments& inner) {
  if (!problem_) problem_ = inner.problem_;
}

const Json* Arguments::need(const char* name) {
  const Json* const value = find(name);
  if (value == nullptr && !problem_)
    problem_ = refusal(fmt::format("`{}{}` is missing", path_.empty() ? "" : path_ + ".", name));
  return value;
}

std::string Arguments::text(const char* name, std::string otherwise) {
  const Json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (value->is_string()) return value->get<std::string>();
  refuse(name, "a string");
  return otherwise;
}

std::string Arguments::needed_text(const char* name) { return need(name) == nullptr ? "" : text(name); }

bool Arguments::flag(const char* name, bool otherwise) {
  const Json* const value = find(name);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  refuse(name, "true or false");
  return otherwise;
}

i64 Arguments::integer(const char* name, i64 otherwise) {
  const Json* const value = find(name);
  if (value == nullptr) return otherwise;
  const bool fits = !value->is_number_unsigned() || value->get<u64>() <= greatest_integer;
  if (value->is_number_integer() && fits) return value->get<i64>();
  refuse(name, "an integer of at most 63 bits");
  return otherwise;
}

u64 Arguments::count(const char* name, u64 otherwise) {
  const i64 value = integer(name, static_cast<i64>(otherwise));
  if (value >= 0) return static_cast<u64>(value);
  refuse(name, "a number of at least 0");
  return otherwise;
}

u64 Arguments::needed_count(const char* name) { return need(name) == nullptr ? 0 : count(name, 0); }

Arguments Arguments::object(const char* name) {
  Arguments inner(find(name), (path_.empty() ? "" : path_ + ".") + name);
  take_problem(inner);
  return inner;
}

const Json* Arguments::list(const char* name, const std::string& expected) {
  const Json* const value = find(name);
  if (value == nullptr || value->is_array()) return value;
  refuse(name, expected);
  return nullptr;
}

std::vector<Arguments> Arguments::objects(const char* name) {
  std::vector<Arguments> found;
  const Json* const all = list(name, "a list");
  if (all == nullptr) return found;
  for (const Json& each : *all) {
    found.emplace_back(&each, fmt::format("{}{}[{}]", path_.empty() ? "" : path_ + ".", name, found.size()));
    take_problem(found.back());
  }
  return found;
}

std::vector<std::string> Arguments::texts(const char* name) {
  const std::string expected = "a list of strings";
  std::vector<std::string> found;
  const Json* const all = list(name, expected);
  if (all == nullptr) return found;
  for (const Json& each : *all) {
    if (each.is_string()) {
      found.push_back(each.get<std::string>());
    } else {
      refuse(name, expected);
    }
  }
  return found;
}

std::optional<Json> parse_json(std::string_view text) {
  if (is_too_deep(text)) return std::nullopt;
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::optional<std::vector<u8>> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::vector<u8> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    const std::size_t padding = !is_last ? 0 : text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    if (padding == 2 && text[i + 3] != '=') return std::nullopt;
    u32 bits = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t digit = k + padding < 4 ? alphabet.find(text[i + k]) : 0;
      if (digit == std::string_view::npos) return std::nullopt;
      bits = bits << 6 | static_cast<u32>(digit);
    }
    for (std::size_t k = 0; k < 3 - padding; ++k) bytes.push_back(static_cast<u8>(bits >> (16 - 8 * k)));
  }
  return bytes;
}

std::string encode_base64(const std::vector<u8>& bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::array<u8, 3> group{};
    const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3);
    for (std::size_t k = 0; k < count; ++k) group[k] = bytes[i + k];
    const u32 bits = u32{group[0]} << 16 | u32{group[1]} << 8 | group[2];
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace salu::dap
