#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace salu::dap {

using Json = nlohmann::json;

/// An error in the arguments of a request.
inline Error refusal(std::string message) { return Error{ErrorCode::usage, {}, std::move(message), {}}; }

/// The members of an object from a client. A missing member or a wrong type sets `problem`, and reads as a default
/// value.
class Arguments {
 public:
  /// The object must outlive this one; null is an object without members. `path` is its name in messages.
  explicit Arguments(const Json* object, std::string path = "");

  [[nodiscard]] bool has(const char* name) const { return find(name) != nullptr; }
  std::string text(const char* name, std::string otherwise = "");
  std::string needed_text(const char* name);
  bool flag(const char* name, bool otherwise);
  i64 integer(const char* name, i64 otherwise);
  /// A count or an ID: an integer of at least 0.
  u64 count(const char* name, u64 otherwise);
  u64 needed_count(const char* name);
  /// A nested object, with its own problems.
  Arguments object(const char* name);
  /// The objects of a list; empty if it is missing.
  std::vector<Arguments> objects(const char* name);
  std::vector<std::string> texts(const char* name);
  /// Copies the problem of a nested object.
  void take_problem(const Arguments& inner);

  /// The member, of any type; null if it is missing.
  [[nodiscard]] const Json* find(const char* name) const;
  /// Sets the problem for a member.
  void refuse(const char* name, const std::string& expected);
  /// The first problem.
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  const Json* need(const char* name);
  /// A list member; null if it is missing or has another type.
  const Json* list(const char* name, const std::string& expected);

  const Json* object_;
  std::string path_;
  std::optional<Error> problem_;
};

/// The limit of nested lists and objects; real messages have a few.
inline constexpr std::size_t deepest_json = 100'000;
/// Parses a message. Returns nothing for invalid JSON, invalid UTF-8 or too deep nesting.
std::optional<Json> parse_json(std::string_view text);
/// JSON on one line. Invalid UTF-8 is replaced.
std::string to_text(const Json& json);

/// Decodes Base64 (RFC 4648, padded). Returns nothing for invalid text.
std::optional<std::vector<u8>> decode_base64(std::string_view text);
std::string encode_base64(const std::vector<u8>& bytes);

}  // namespace salu::dap
