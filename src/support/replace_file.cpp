#include "support/replace_file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>

#include "support/descriptor.hpp"

namespace salu::support {
namespace {

constexpr int mode_bits = 07777;
constexpr int may_write_bits = 0222;
constexpr int new_file_mode = 0666;

std::string problem_of(int error) { return std::strerror(error); }

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Reads all bytes of a file from its beginning; false if they cannot be read.
bool read_all(int descriptor, std::string& bytes) {
  std::array<char, 65'536> buffer{};
  while (true) {
    const ssize_t count = pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Flushes a file to disk. File systems that do not support this are not an error.
bool sync(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

/// The `chattr` flags of a file; 0 if the file system has none.
int flags_of(int descriptor) {
  int flags = 0;
  return ioctl(descriptor, FS_IOC_GETFLAGS, &flags) == 0 ? flags & FS_FL_USER_MODIFIABLE : 0;
}

/// Blocks signals that would end the process during its lifetime.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all{};
    sigfillset(&all);
    is_held_ = pthread_sigmask(SIG_SETMASK, &all, &before_) == 0;
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld(SignalsHeld&&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  SignalsHeld& operator=(SignalsHeld&&) = delete;
  ~SignalsHeld() {
    if (is_held_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_{};
  bool is_held_ = false;
};

/// The temporary file to remove if a signal ends the process.
std::array<char, PATH_MAX> unfinished_path{};
std::atomic<bool> has_unfinished = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// A temporary file in the folder of another file, with an unpredictable name. It is removed unless it replaces the
/// other file.
class FileBeside {
 public:
  explicit FileBeside(const std::string& path) {
    std::random_device random;
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
    folder_ = Descriptor(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // In an append-only folder files cannot be renamed or removed.
    if (folder_.is_open() && (flags_of(folder_.number()) & FS_APPEND_FL) != 0) {
      errno = EPERM;
      return;
    }
    constexpr int most_tries = 100;
    for (int i = 0; i < most_tries && !file_.is_open(); ++i) {
      name_ = folder + ".salu-" + std::to_string(random()) + std::to_string(random());
      if (name_.size() >= unfinished_path.size()) {
        errno = ENAMETOOLONG;
        return;
      }
      const SignalsHeld held;
      file_ = Descriptor(open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, new_file_mode));
      if (!file_.is_open() && errno != EEXIST) return;
      if (file_.is_open()) {
        std::memcpy(unfinished_path.data(), name_.c_str(), name_.size() + 1);
        has_unfinished = true;
      }
    }
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside(FileBeside&&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;
  FileBeside& operator=(FileBeside&&) = delete;
  ~FileBeside() { remove_unfinished_file(); }

  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  [[nodiscard]] int number() const { return file_.number(); }

  bool write_and_close(std::string_view bytes) {
    return write_all(file_.number(), bytes) && sync(file_.number()) && file_.close();
  }
  bool take_place_of(const std::string& path) {
    if (rename(name_.c_str(), path.c_str()) != 0) return false;
    has_unfinished = false;
    // The new name must also survive a power failure.
    if (folder_.is_open()) (void)sync(folder_.number());
    return true;
  }

 private:
  std::string name_;
  Descriptor folder_;
  Descriptor file_;
};

std::string create(const std::string& path, std::string_view bytes) {
  FileBeside file(path);
  const bool written = file.is_open() && file.write_and_close(bytes) && file.take_place_of(path);
  return written ? std::string() : problem_of(errno);
}

bool overwrite(int descriptor, std::string_view bytes) {
  return lseek(descriptor, 0, SEEK_SET) == 0 && write_all(descriptor, bytes) &&
         ftruncate(descriptor, static_cast<off_t>(bytes.size())) == 0 && sync(descriptor);
}

/// Overwrites a file. `old` is its content, which is restored if the new bytes cannot be written.
std::string write_in_place(int descriptor, std::string_view bytes, std::string_view old) {
  const SignalsHeld held;
  // With reserved space a failure after the first byte is unlikely. Some file systems do not support this.
  const bool has_room = bytes.empty() ||
                        fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes.size())) == 0 ||
                        errno == EOPNOTSUPP || errno == ENOSYS;
  if (!has_room) return problem_of(errno);
  if (overwrite(descriptor, bytes)) return {};
  const int error = errno;
  return overwrite(descriptor, old) ? problem_of(error) : problem_of(error) + "; the file is partly written";
}

/// The names of a file's extended attributes.
std::string attribute_names(int descriptor) {
  const ssize_t size = flistxattr(descriptor, nullptr, 0);
  if (size <= 0) return {};
  std::string names(static_cast<std::size_t>(size), '\0');
  return flistxattr(descriptor, names.data(), names.size()) == size ? names : std::string("?");
}

/// Gives a new file the mode, owner and group of an old one. Returns false if this fails, or if attributes and flags
/// differ.
bool become_like(int descriptor, int old_descriptor, const struct stat& old) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) return false;
  const bool is_anothers = status.st_uid != old.st_uid || status.st_gid != old.st_gid;
  if (is_anothers && fchown(descriptor, old.st_uid, old.st_gid) != 0) return false;
  // A new file may have inherited a different access list from its folder.
  const bool has_access_list = fgetxattr(old_descriptor, "system.posix_acl_access", nullptr, 0) >= 0;
  return !has_access_list && attribute_names(descriptor) == attribute_names(old_descriptor) &&
         flags_of(descriptor) == flags_of(old_descriptor) && fchmod(descriptor, old.st_mode & mode_bits) == 0;
}

/// Locks a file. Other processes of salu hold the lock only while they write. Returns false if another program keeps it
/// locked.
bool lock(int descriptor) {
  constexpr int most_tries = 200;
  constexpr timespec between{0, 50'000'000};
  for (int i = 0; i < most_tries; ++i) {
    // Some file systems do not support locks.
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR)) return true;
    nanosleep(&between, nullptr);
  }
  errno = EWOULDBLOCK;
  return false;
}

/// Opens and locks the current file of a path, even if it is replaced concurrently.
Descriptor open_locked(const std::string& path, struct stat& status) {
  while (true) {
    Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (!file.is_open()) return file;
    if (!lock(file.number())) return Descriptor();
    struct stat named{};
    if (fstat(file.number(), &status) != 0) return Descriptor();
    if (stat(path.c_str(), &named) != 0) return Descriptor();
    if (named.st_dev == status.st_dev && named.st_ino == status.st_ino) return file;
  }
}

std::string replace(const std::string& path, std::string_view bytes, std::optional<std::string_view> before) {
  struct stat status{};
  const Descriptor old = open_locked(path, status);
  if (!old.is_open()) return errno == EWOULDBLOCK ? "it is locked by another program" : problem_of(errno);
  if ((status.st_mode & may_write_bits) == 0) return "it is read-only";
  constexpr const char* changed = "it has changed since it was read";
  std::string now;
  if (before) {
    if (static_cast<std::size_t>(status.st_size) != before->size()) return changed;
    if (!read_all(old.number(), now)) return problem_of(errno);
    if (now != *before) return changed;
  }
  if (status.st_nlink == 1) {
    FileBeside file(path);
    const bool is_refused = !file.is_open() && (errno == EACCES || errno == EPERM || errno == EROFS);
    if (!file.is_open() && !is_refused) return problem_of(errno);
    if (file.is_open() && become_like(file.number(), old.number(), status)) {
      if (!file.write_and_close(bytes)) return problem_of(errno);
      if (file.take_place_of(path)) return {};
      // A mount point, such as a file mounted into a container, cannot be replaced.
      if (errno != EBUSY) return problem_of(errno);
    }
  }
  if (!before && !read_all(old.number(), now)) return problem_of(errno);
  return write_in_place(old.number(), bytes, now);
}

/// Resolves links to the path of the final file.
std::string end_of_links(std::string path) {
  // The limit of Linux.
  constexpr int most_links = 40;
  for (int i = 0; i < most_links; ++i) {
    std::array<char, PATH_MAX> place{};
    const ssize_t length = readlink(path.c_str(), place.data(), place.size() - 1);
    if (length < 0) break;
    const std::string target(place.data(), static_cast<std::size_t>(length));
    const std::size_t slash = path.rfind('/');
    const bool is_relative = !target.starts_with('/') && slash != std::string::npos;
    path = is_relative ? path.substr(0, slash + 1) + target : target;
  }
  return path;
}

std::string write_to_device(const std::string& path, std::string_view bytes) {
  Descriptor device(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const bool written = device.is_open() && write_all(device.number(), bytes) && device.close();
  return written ? std::string() : problem_of(errno);
}

}  // namespace

std::string replace_file(const std::string& path, std::string_view bytes, std::optional<std::string_view> before) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return problem_of(errno);
    if (before) return "it was removed after it was read";
    return create(end_of_links(path), bytes);
  }
  if (S_ISDIR(status.st_mode)) return problem_of(EISDIR);
  if (!S_ISREG(status.st_mode)) return write_to_device(path, bytes);
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
  return real ? replace(real.get(), bytes, before) : problem_of(errno);
}

std::string why_not_writable(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return "it is a folder";
    if (S_ISREG(status.st_mode) && (status.st_mode & may_write_bits) == 0) return "it is read-only";
    return access(path.c_str(), W_OK) == 0 ? std::string() : problem_of(errno);
  }
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  return access(folder.c_str(), W_OK) == 0 ? std::string() : problem_of(errno);
}

void remove_unfinished_file() {
  if (has_unfinished.exchange(false)) unlink(unfinished_path.data());
}

}  // namespace salu::support
