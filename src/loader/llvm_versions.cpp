#include "loader/llvm_versions.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cstdlib>
#include <utility>

#include "support/process.hpp"

namespace salu::loader {
namespace {

constexpr u32 oldest = 16;  // its llvm-mc supports all options that salu passes
constexpr u32 newest = 40;  // far above existing versions

std::optional<u32> version_in(const std::string& text) {
  u32 version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc{} || end != text.data() + text.size() || version < oldest || version > newest)
    return std::nullopt;
  return version;
}

}  // namespace

std::string chosen_llvm_version(const std::string& llvm) {
  if (!llvm.empty()) return llvm;
  const char* const named = std::getenv(llvm_version_variable);  // NOLINT(concurrency-mt-unsafe): never written
  return named == nullptr ? "" : named;
}

bool is_llvm_version(const std::string& text) { return version_in(text).has_value(); }

std::vector<u32> llvm_versions(const std::string& llvm) {
  std::vector<u32> versions;
  if (const std::string chosen = chosen_llvm_version(llvm); !chosen.empty()) {
    if (const auto version = version_in(chosen)) versions.push_back(*version);
    return versions;
  }
  for (u32 version = newest; version >= oldest; --version) versions.push_back(version);
  return versions;
}

std::vector<std::string> find_llvm_programs(const std::string& name, const std::string& llvm) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& program) {
    if (auto path = support::find_program({program})) paths.push_back(*std::move(path));
  };
  for (const u32 version : llvm_versions(llvm)) add(fmt::format("{}-{}", name, version));
  if (chosen_llvm_version(llvm).empty()) add(name);
  return paths;
}

}  // namespace salu::loader
