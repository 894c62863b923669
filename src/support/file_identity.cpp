#include "support/file_identity.hpp"

#include <sys/stat.h>

#include <filesystem>

namespace salu::support {
namespace {

std::optional<FileIdentity> of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

/// The target of a dangling link: a file that is created through the link is created there.
std::filesystem::path end_of_links(std::filesystem::path path, std::error_code& error) {
  constexpr int most_links = 40;  // the limit of Linux
  for (int i = 0; i < most_links && std::filesystem::is_symlink(path, error); ++i)
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  return path;
}

bool is_there(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0;
}

}  // namespace

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 ? of(status) : std::nullopt;
}

std::optional<FileIdentity> identity_of(int descriptor) {
  struct stat status{};
  return fstat(descriptor, &status) == 0 ? of(status) : std::nullopt;
}

bool is_same_file(const std::string& left, const std::string& right) {
  const std::optional<FileIdentity> identity = identity_of(left);
  if (identity) return identity == identity_of(right);
  if (is_there(left) || is_there(right)) return false;
  std::error_code left_error;
  std::error_code right_error;
  namespace fs = std::filesystem;
  const fs::path left_path = fs::weakly_canonical(end_of_links(fs::absolute(left, left_error), left_error), left_error);
  const fs::path right_path =
      fs::weakly_canonical(end_of_links(fs::absolute(right, right_error), right_error), right_error);
  return !left_error && !right_error && left_path == right_path;
}

}  // namespace salu::support
