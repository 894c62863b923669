#include "tool.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>

namespace salu::test {

ToolRun run_tool(const std::vector<std::string>& arguments, std::string_view input) {
  const Workspace workspace;
  const std::string in = workspace.write("stdin", input);
  const std::string out = workspace.path("stdout");
  const std::string err = workspace.path("stderr");
  std::vector<std::string> command = {SALU_EXECUTABLE};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);

  const pid_t child = fork();
  if (child == 0) {
    constexpr int mode = 0600;
    dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode), STDERR_FILENO);
    unsetenv("NO_COLOR");
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  ToolRun run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = read_text(out);
  run.err = read_text(err);
  return run;
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
  std::ofstream(file, std::ios::binary) << contents;
  return file;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace salu::test
