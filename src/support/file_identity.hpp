#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>

/// Files by what they are, whatever they are called: links, `./a`, and two names of one file.
namespace salu::support {

struct FileIdentity {
  u64 device = 0;
  u64 number = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// Of a regular file; nothing for what is not there and for devices, pipes and folders.
std::optional<FileIdentity> identity_of(const std::string& path);
std::optional<FileIdentity> identity_of(int descriptor);

/// Whether two paths lead to one regular file, also where neither is there yet. Devices and pipes are no files.
bool is_same_file(const std::string& left, const std::string& right);

}  // namespace salu::support
