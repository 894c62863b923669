#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Safe replacement of files.
namespace salu::support {

/// Writes a file atomically: after an interruption, even a power failure, either the old or the new contents exist.
/// Links are followed; mode, owner and group stay. A file that cannot be replaced by another one (because of hard
/// links, an owner that a new file cannot have, an access control list, or a read-only folder) is overwritten in place;
/// a device or a pipe is simply written.
///
/// `before` is the expected old content. The file is locked (`flock`) from the comparison on, so if two processes
/// replace the same old text, one of them fails.
///
/// Returns the reason of a failure; empty on success.
std::string replace_file(const std::string& path, std::string_view bytes,
                         std::optional<std::string_view> before = std::nullopt);

/// Returns the reason why a file cannot be written, as far as it can be determined without writing; empty if none is
/// found.
std::string why_not_writable(const std::string& path);

/// Removes the temporary file of a replacement that is in progress. May be called by a signal handler that ends the
/// process.
void remove_unfinished_file();

}  // namespace salu::support
