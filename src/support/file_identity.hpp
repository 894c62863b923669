#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>

/// The identity of a file, independent of its name: links, `./a`, and hard links have the same identity.
namespace salu::support {

struct FileIdentity {
  u64 device = 0;
  u64 number = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Returns the identity of a regular file; nothing for missing files, devices, pipes and folders.
std::optional<FileIdentity> identity_of(const std::string& path);
std::optional<FileIdentity> identity_of(int descriptor);

/// True if two paths name the same regular file, which does not have to exist yet. False for devices and pipes.
bool is_same_file(const std::string& left, const std::string& right);

}  // namespace salu::support
