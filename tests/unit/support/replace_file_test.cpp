#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <vector>

#include "support/descriptor.hpp"
#include "support/file_identity.hpp"
#include "support/replace_file.hpp"

namespace salu::support {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public testing::Test {
 protected:
  ReplaceFile() {
    std::string pattern = (fs::temp_directory_path() / "salu-files-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] struct stat status(const std::string& name) const {
    struct stat result{};
    stat(path(name).c_str(), &result);
    return result;
  }
  [[nodiscard]] std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(ReplaceFile, MakesANewFileAsOthersDo) {
  const mode_t before = umask(027);
  EXPECT_EQ(replace_file(path("new"), "text"), "");
  umask(before);
  EXPECT_EQ(read("new"), "text");
  EXPECT_EQ(status("new").st_mode & 0777U, 0640U);
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(ReplaceFile, KeepsModeAndOwner) {
  write("old", "old");
  fs::permissions(path("old"), fs::perms{0751});
  const bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(chown(path("old").c_str(), 1234, 2345), 0);
  }
  EXPECT_EQ(replace_file(path("old"), "new"), "");
  EXPECT_EQ(read("old"), "new");
  EXPECT_EQ(status("old").st_mode & 07777U, 0751U);
  if (is_root) {
    EXPECT_EQ(status("old").st_uid, 1234U);
    EXPECT_EQ(status("old").st_gid, 2345U);
  }
}

TEST_F(ReplaceFile, KeepsTheAttributesOfAFile) {
  write("old", "a long old text");
  const std::string old = path("old");
  if (setxattr(old.c_str(), "user.note", "mine", 4, 0) != 0)
    GTEST_SKIP() << "this file system does not support attributes";
  EXPECT_EQ(replace_file(old, "short"), "");
  std::array<char, 4> note{};
  EXPECT_EQ(getxattr(old.c_str(), "user.note", note.data(), note.size()), 4);
  EXPECT_EQ(std::string(note.data(), note.size()), "mine");
  EXPECT_EQ(read("old"), "short");
}

TEST_F(ReplaceFile, KeepsAccessLists) {
  // Owner rw, user 1234 r, group r, mask r, others nothing: version, then tag, permissions and number of each.
  const std::string list(
      "\x02\0\0\0"
      "\x01\0\x06\0\xFF\xFF\xFF\xFF"
      "\x02\0\x04\0\xD2\x04\0\0"
      "\x04\0\x04\0\xFF\xFF\xFF\xFF"
      "\x10\0\x04\0\xFF\xFF\xFF\xFF"
      "\x20\0\0\0\xFF\xFF\xFF\xFF",
      44);
  write("old", "a long old text");
  const std::string old = path("old");
  const char* const name = "system.posix_acl_access";
  if (setxattr(old.c_str(), name, list.data(), list.size(), 0) != 0) {
    GTEST_SKIP() << "this file system does not support access lists";
  }
  EXPECT_EQ(replace_file(old, "short"), "");
  std::string kept(64, '\0');
  const ssize_t size = getxattr(old.c_str(), name, kept.data(), kept.size());
  ASSERT_GT(size, 0);
  kept.resize(static_cast<std::size_t>(size));
  EXPECT_EQ(kept, list);
  EXPECT_EQ(read("old"), "short");
}

TEST_F(ReplaceFile, KeepsFlags) {
  write("old", "a long old text");
  const Descriptor old(open(path("old").c_str(), O_RDONLY | O_CLOEXEC));
  int flags = 0;
  if (ioctl(old.number(), FS_IOC_GETFLAGS, &flags) != 0) GTEST_SKIP() << "this file system does not support flags";
  flags |= FS_NODUMP_FL;
  if (ioctl(old.number(), FS_IOC_SETFLAGS, &flags) != 0) GTEST_SKIP() << "this file system does not keep this one";
  EXPECT_EQ(replace_file(path("old"), "short"), "");
  const Descriptor now(open(path("old").c_str(), O_RDONLY | O_CLOEXEC));
  flags = 0;
  ASSERT_EQ(ioctl(now.number(), FS_IOC_GETFLAGS, &flags), 0);
  EXPECT_NE(flags & FS_NODUMP_FL, 0);
  EXPECT_EQ(read("old"), "short");
}

// Files in such a folder can be written, but neither renamed nor removed.
TEST_F(ReplaceFile, LeavesNothingInAFolderThatIsOnlyAddedTo) {
  write("old", "old");
  const Descriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  int before = 0;
  if (ioctl(folder.number(), FS_IOC_GETFLAGS, &before) != 0) GTEST_SKIP() << "this file system does not support flags";
  int flags = before | FS_APPEND_FL;
  if (ioctl(folder.number(), FS_IOC_SETFLAGS, &flags) != 0) GTEST_SKIP() << "this user may not set them";
  const std::string of_old = replace_file(path("old"), "a longer text");
  const std::string of_new = replace_file(path("new"), "new");
  ASSERT_EQ(ioctl(folder.number(), FS_IOC_SETFLAGS, &before), 0);
  EXPECT_EQ(of_old, "");
  EXPECT_EQ(read("old"), "a longer text");
  EXPECT_EQ(of_new, "Operation not permitted");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(ReplaceFile, FollowsLinksAndKeepsThem) {
  write("old", "old");
  fs::create_symlink("old", path("link"));
  EXPECT_EQ(replace_file(path("link"), "by a link"), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read("old"), "by a link");
  fs::create_symlink("nowhere", path("dangling"));
  EXPECT_EQ(replace_file(path("dangling"), "there"), "");
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  EXPECT_EQ(read("nowhere"), "there");
  // Also through other folders.
  fs::create_directory(path("folder"));
  fs::create_symlink("folder/second", path("first"));
  fs::create_symlink("../end", path("folder/second"));
  EXPECT_EQ(replace_file(path("first"), "at the end"), "");
  EXPECT_TRUE(fs::is_symlink(path("folder/second")));
  EXPECT_EQ(read("end"), "at the end");
  fs::create_symlink("circle", path("circle"));
  EXPECT_NE(replace_file(path("circle"), "nowhere"), "");
}

TEST_F(ReplaceFile, KeepsTheOtherNamesOfAFile) {
  write("old", "a long old text");
  fs::create_hard_link(path("old"), path("other"));
  EXPECT_EQ(replace_file(path("old"), "short"), "");
  EXPECT_EQ(read("other"), "short");
  EXPECT_EQ(status("old").st_ino, status("other").st_ino);
  EXPECT_EQ(file_count(), 2U);
}

TEST_F(ReplaceFile, RejectsReadOnlyFiles) {
  write("old", "old");
  fs::permissions(path("old"), fs::perms{0444});
  EXPECT_EQ(replace_file(path("old"), "new"), geteuid() == 0 ? "it is read-only" : "Permission denied");
  EXPECT_EQ(read("old"), "old");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(ReplaceFile, RejectsChangedFiles) {
  write("old", "edited since");
  EXPECT_EQ(replace_file(path("old"), "new", "as it was read"), "it has changed since it was read");
  EXPECT_EQ(read("old"), "edited since");
  EXPECT_EQ(replace_file(path("old"), "new", "edited since"), "");
  EXPECT_EQ(read("old"), "new");
  EXPECT_EQ(replace_file(path("gone"), "new", "old"), "it was removed after it was read");
  EXPECT_EQ(file_count(), 1U);
}

TEST_F(ReplaceFile, RejectsOneOfTwoConcurrentReplacements) {
  for (int i = 0; i < 50; ++i) {
    write("old", "old");
    const auto replace = [this](const std::string& text) { return replace_file(path("old"), text, "old"); };
    // Like two processes, each with its own lock.
    const pid_t child = fork();
    if (child == 0) _exit(replace("child").empty() ? 0 : 1);
    const bool parent = replace("parent").empty();
    int child_status = 0;
    waitpid(child, &child_status, 0);
    const bool is_child = WEXITSTATUS(child_status) == 0;
    EXPECT_NE(parent, is_child);
    EXPECT_EQ(read("old"), parent ? "parent" : "child");
  }
}

TEST_F(ReplaceFile, WaitsForALock) {
  write("old", "old");
  const int held = open(path("old").c_str(), O_RDONLY);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  auto replaced = std::async(std::launch::async, [this] { return replace_file(path("old"), "new", "old"); });
  EXPECT_EQ(replaced.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_EQ(read("old"), "old");
  close(held);
  EXPECT_EQ(replaced.get(), "");
  EXPECT_EQ(read("old"), "new");
}

// A file of a different size has been changed, however large it is.
TEST_F(ReplaceFile, OldContentsAreNotKeptInMemory) {
  write("old", "old");
  constexpr std::uintmax_t large = std::uintmax_t{1} << 40;
  fs::resize_file(path("old"), large);
  EXPECT_EQ(replace_file(path("old"), "new", "old"), "it has changed since it was read");
  EXPECT_EQ(fs::file_size(path("old")), large);
  EXPECT_EQ(replace_file(path("old"), "new"), "");
  EXPECT_EQ(read("old"), "new");
}

TEST_F(ReplaceFile, FoldersAndDevices) {
  EXPECT_EQ(replace_file(folder_.string(), "new"), "Is a directory");
  EXPECT_EQ(replace_file("/dev/full", "new"), "No space left on device");
  EXPECT_EQ(replace_file("/dev/null", "new"), "");
  EXPECT_EQ(replace_file(path("none/new"), "new"), "No such file or directory");
}

TEST_F(ReplaceFile, ReportsUnwritableFilesFirst) {
  write("old", "old");
  EXPECT_EQ(why_not_writable(path("old")), "");
  EXPECT_EQ(why_not_writable(path("new")), "");
  EXPECT_EQ(why_not_writable(folder_.string()), "it is a folder");
  EXPECT_EQ(why_not_writable(path("none/new")), "No such file or directory");
  fs::permissions(path("old"), fs::perms{0444});
  EXPECT_EQ(why_not_writable(path("old")), "it is read-only");
}

TEST_F(ReplaceFile, OneFileHasManyNames) {
  write("old", "old");
  fs::create_symlink("old", path("link"));
  fs::create_hard_link(path("old"), path("hard"));
  fs::create_directory(path("folder"));
  for (const std::string name : {"link", "hard", "./old", "folder/../old"})
    EXPECT_TRUE(is_same_file(path("old"), path(name))) << name;
  write("other", "old");
  EXPECT_FALSE(is_same_file(path("old"), path("other")));
  EXPECT_FALSE(is_same_file(path("old"), path("new")));
  EXPECT_TRUE(is_same_file(path("new"), path("folder/../new")));
  EXPECT_FALSE(is_same_file(path("new"), path("newer")));
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null"));
}

}  // namespace
}  // namespace salu::support
