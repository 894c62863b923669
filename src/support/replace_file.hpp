#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Files written so that nothing is lost.
namespace salu::support {

/// Writes a file, all of it or nothing: who is stopped in the middle, even by a power failure, leaves the old file or
/// the new one. Links are followed; mode, owner and group stay. A file that cannot be replaced by another one (it has
/// several names, an owner that only it can keep, an access control list, or lies in a folder that cannot be written)
/// is written in place, and a device or a pipe as it is.
///
/// `before`: what it has to hold still. It is locked (`flock`) from the comparison on, so of two who replace it, each
/// by what follows from the old text, one is refused.
///
/// Returns why it is not written; empty when it is.
std::string replace_file(const std::string& path, std::string_view bytes,
                         std::optional<std::string_view> before = std::nullopt);

/// Why a file could not be written, as far as that can be told without writing; empty when it can.
std::string why_not_writable(const std::string& path);

/// Removes what a replacement that is under way has written beside its file. May be called by a signal handler that
/// ends the process.
void remove_unfinished_file();

}  // namespace salu::support
