#include "tool.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <iterator>
#include <utility>

namespace salu::test {

namespace {

/// A file in memory, to which a child can write even if nothing is read.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("salu_test", 0)) { EXPECT_GE(descriptor_, 0); }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(descriptor_, text.data(), text.size());
      ASSERT_GT(count, 0);
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    lseek(descriptor_, 0, SEEK_SET);
  }

  [[nodiscard]] std::string read() const {
    lseek(descriptor_, 0, SEEK_SET);
    std::string text;
    std::array<char, 65536> chunk{};
    for (ssize_t count = 0; (count = ::read(descriptor_, chunk.data(), chunk.size())) > 0;) {
      text.append(chunk.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int descriptor_;
};

ToolRun run_command(std::vector<std::string> command, std::string_view input, bool together,
                    const std::string& folder) {
  const MemoryFile in;
  const MemoryFile out;
  const MemoryFile err;
  in.write(input);
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);

  const pid_t child = fork();
  if (child == 0) {
    dup2(in.descriptor(), STDIN_FILENO);
    dup2(out.descriptor(), STDOUT_FILENO);
    dup2(together ? out.descriptor() : err.descriptor(), STDERR_FILENO);
    unsetenv("NO_COLOR");
    if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  ToolRun run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = out.read();
  run.err = err.read();
  return run;
}

}  // namespace

ToolRun run_tool(const std::vector<std::string>& arguments, std::string_view input) {
  std::vector<std::string> command = {SALU_EXECUTABLE};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_command(std::move(command), input, false, {});
}

ToolRun run_tool_together(const std::vector<std::string>& arguments, std::string_view input) {
  std::vector<std::string> command = {SALU_EXECUTABLE};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_command(std::move(command), input, true, {});
}

ToolRun run_shell(const std::string& line, const std::string& folder) {
  const std::string path = std::filesystem::path(SALU_EXECUTABLE).parent_path().string();
  return run_command({"/bin/sh", "-c", "PATH='" + path + "':$PATH; " + line}, {}, false, folder);
}

Workspace::Workspace() {
  static std::atomic<int> count = 0;
  path_ = std::filesystem::temp_directory_path() /
          ("salu_tool_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  std::filesystem::create_directories(path_);
}

Workspace::~Workspace() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Workspace::write(const std::string& name, std::string_view contents) const {
  const std::string file = path(name);
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  std::ofstream(file, std::ios::binary) << contents;
  return file;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace salu::test
