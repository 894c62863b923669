#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/fuzzing.hpp"

/// Runs a fuzz target on stored inputs: files, and all files below folders. Does not need libFuzzer, so the tests of
/// every compiler run earlier findings.
int main(int argument_count, char** arguments) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  for (int i = 1; i < argument_count; ++i) {
    if (!fs::is_directory(arguments[i])) {
      paths.emplace_back(arguments[i]);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(arguments[i])) {
      if (entry.is_regular_file()) paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read %s\n", path.c_str());
      return 1;
    }
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    // Before the run: if it ends the process, this line shows the input.
    std::fprintf(stderr, "%s\n", path.c_str());
    LLVMFuzzerTestOneInput(reinterpret_cast<const salu::u8*>(bytes.data()), bytes.size());
  }
  if (paths.empty()) std::fprintf(stderr, "no inputs\n");
  return paths.empty() ? 1 : 0;
}
