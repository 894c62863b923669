#include "loader/yaml/named_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "support/file_identity.hpp"

namespace salu::loader {

std::string root_problem(const std::string& root) {
  std::error_code error;
  if (std::filesystem::is_directory(root, error)) return {};
  return fmt::format("`{}` is not a readable folder{}", root, error ? ": " + error.message() : "");
}

bool lies_in(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return false;
  // A file that does not exist counts as inside the folder in which it would be created.
  const fs::path place = fs::weakly_canonical(path, error);
  return !error && std::ranges::mismatch(root, place).in1 == root.end();
}

std::optional<Error> rules_problem(const std::string& path, const FileRules& rules) {
  for (const std::string& output : rules.outputs) {
    if (support::is_same_file(path, output))
      return Error{
          ErrorCode::overwrite, {}, fmt::format("`{}` would be overwritten by the output {}", path, output), {}};
  }
  if (!rules.root || lies_in(path, *rules.root)) return std::nullopt;
  return Error{ErrorCode::io, {}, fmt::format("`{}` is outside of {} (--root)", path, *rules.root), {}};
}

std::string read_named_file(const Document& document, const Node& node, const std::string& path, u64 limit_bytes,
                            std::string_view what, const FileRules& rules) {
  if (const auto forbidden = rules_problem(path, rules)) document.fail(node, forbidden->message, forbidden->code);
  try {
    return read_file(path, limit_bytes, what, only_regular(rules));
  } catch (Rejection& rejection) {
    const Error error = std::move(rejection).take();
    document.fail(node, fmt::format("`{}`: {}", error.where.file, error.message), error.code);
  }
}

}  // namespace salu::loader
