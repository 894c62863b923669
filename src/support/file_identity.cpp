#include "support/file_identity.hpp"

#include <sys/stat.h>

#include <filesystem>

namespace salu::support {
namespace {

std::optional<FileIdentity> of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
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
  const fs::path left_path = fs::weakly_canonical(fs::absolute(left, left_error), left_error);
  const fs::path right_path = fs::weakly_canonical(fs::absolute(right, right_error), right_error);
  return !left_error && !right_error && left_path == right_path;
}

}  // namespace salu::support
