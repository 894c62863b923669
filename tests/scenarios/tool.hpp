#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace salu::test {

/// What one run of the executable left.
struct ToolRun {
  int exit_code = -1;  ///< 128 + signal when it was killed
  std::string out;
  std::string err;
};

/// Runs `salu` with arguments, `input` on its standard input. NO_COLOR is unset, the standard streams are no terminal.
ToolRun run_tool(const std::vector<std::string>& arguments, std::string_view input = {});

/// The same with standard output and standard error in one: `out`.
ToolRun run_tool_together(const std::vector<std::string>& arguments, std::string_view input = {});

/// Runs a line of shell in a folder, where `salu` is the executable.
ToolRun run_shell(const std::string& line, const std::string& folder);

/// A folder that is gone when the test is over.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Writes a file and returns its path.
  [[nodiscard]] std::string write(const std::string& name, std::string_view contents) const;
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// The whole of a file.
std::string read_text(const std::string& path);

}  // namespace salu::test
