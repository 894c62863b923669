#include "loader/scenario/named_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "support/file_identity.hpp"

namespace salu::loader {
namespace {

bool is_below(const std::filesystem::path& path, const std::filesystem::path& root) {
  return std::ranges::mismatch(root, path).in1 == root.end();
}

/// Why a file may not be read; empty when it may.
std::string problem_of(const std::string& path, const FileRules& rules) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!rules.root.empty()) {
    const fs::path root = fs::canonical(rules.root, error);
    if (error) return fmt::format("the root {} cannot be resolved: {}", rules.root, error.message());
    const fs::path place = fs::weakly_canonical(path, error);
    if (error || !is_below(place, root))
      return fmt::format("it lies outside of {}, where all files have to be", rules.root);
  }
  return {};
}

}  // namespace

std::string read_named_file(const Document& document, const Node& node, const std::string& path, u64 limit_bytes,
                            std::string_view what, const FileRules& rules) {
  for (const std::string& output : rules.outputs) {
    if (support::is_same_file(path, output))
      document.fail(node, fmt::format("`{}`: the output {} would take its place", path, output), ErrorCode::overwrite);
  }
  const std::string problem = problem_of(path, rules);
  if (!problem.empty()) document.fail(node, fmt::format("`{}`: {}", path, problem), ErrorCode::io);
  try {
    return read_file(path, limit_bytes, what, rules);
  } catch (Rejection& rejection) {
    const Error error = std::move(rejection).take();
    document.fail(node, fmt::format("`{}`: {}", error.where.file, error.message), error.code);
  }
}

}  // namespace salu::loader
