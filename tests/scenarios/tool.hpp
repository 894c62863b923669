#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace salu::test {

/// The result of one run of the executable.
struct ToolRun {
  int exit_code = -1;  ///< 128 + signal if it was killed
  std::string out;
  std::string err;
};

/// Runs `salu` with arguments and `input` on its standard input. NO_COLOR is unset, and the standard streams are not
/// terminals.
ToolRun run_tool(const std::vector<std::string>& arguments, std::string_view input = {});

/// The same with standard output and standard error combined in `out`.
ToolRun run_tool_together(const std::vector<std::string>& arguments, std::string_view input = {});

/// Runs a line of shell in a folder, where `salu` is the executable.
ToolRun run_shell(const std::string& line, const std::string& folder);

/// A folder that is deleted at the end of the test.
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

/// The contents of a file.
std::string read_text(const std::string& path);

}  // namespace salu::test
