#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace salu::dap {

using Json = nlohmann::json;

/// An error about what a request asks for.
inline Error refusal(std::string message) { return Error{ErrorCode::usage, {}, std::move(message), {}}; }

/// The members of an object that a client sent. What is missing or of another type than asked for becomes `problem`,
/// and reads as nothing.
class Arguments {
 public:
  /// The object has to outlive it; null stands for one without members. `path` is what messages call it.
  explicit Arguments(const Json* object, std::string path = "");

  [[nodiscard]] bool has(const char* name) const { return find(name) != nullptr; }
  std::string text(const char* name, std::string otherwise = "");
  std::string needed_text(const char* name);
  bool flag(const char* name, bool otherwise);
  i64 integer(const char* name, i64 otherwise);
  /// A count or an id: an integer that is not negative.
  u64 count(const char* name, u64 otherwise);
  u64 needed_count(const char* name);
  /// An object within this one. Its problems are its own.
  Arguments object(const char* name);
  /// The objects of a list; none when it is missing.
  std::vector<Arguments> objects(const char* name);
  std::vector<std::string> texts(const char* name);
  /// Takes over the problem of an object within this one.
  void take_problem(const Arguments& inner);

  /// The member itself, whatever its type; null when there is none.
  [[nodiscard]] const Json* find(const char* name) const;
  /// A problem of a member that the caller has found.
  void refuse(const char* name, const std::string& expected);
  /// The first thing that was wrong.
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  const Json* need(const char* name);
  /// A member that is a list; null when it is missing or none.
  const Json* list(const char* name, const std::string& expected);

  const Json* object_;
  std::string path_;
  std::optional<Error> problem_;
};

/// The deepest nesting of lists and objects that is taken; messages of the protocol have a handful.
inline constexpr std::size_t deepest_json = 100'000;
/// A parsed message; nothing when it is no JSON, no UTF-8, or nested more deeply.
std::optional<Json> parse_json(std::string_view text);
/// JSON on one line. What is no UTF-8 in it is replaced.
std::string to_text(const Json& json);

/// The bytes that a text in Base64 (RFC 4648, padded) stands for; nothing when it is none.
std::optional<std::vector<u8>> decode_base64(std::string_view text);
std::string encode_base64(const std::vector<u8>& bytes);

}  // namespace salu::dap
