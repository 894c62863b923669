#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Which folder may include what. All folders share the include root src/, so a wrong include would compile, and where
// only a header is concerned it would link as well.
namespace {

/// What the files below one folder may include.
struct Rule {
  std::string_view folder;                 ///< path from the repository's root; also of one file
  std::vector<std::string_view> quoted;    ///< first path components allowed in #include "..."
  std::vector<std::string_view> external;  ///< prefixes allowed in #include <...> besides <salu/...> and std
  bool streams;                            ///< may it include the standard stream headers?
  bool siblings;                           ///< may it include "file.hpp" of its own folder?
  bool dispatch;                           ///< may it include the handlers and the dispatch loops?
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"include/salu", {}, {}, false, false, false},
      {"include/salu.h", {}, {"stddef.h", "stdint.h"}, false, false, false},
      {"src/support",
       {"support"},
       {"sys/", "linux/fs.h", "fcntl.h", "poll.h", "pthread.h", "spawn.h", "unistd.h"},
       false,
       false,
       false},
      {"src/isa", {"support", "isa"}, {}, false, false, false},
      {"src/exec", {"support", "isa", "exec"}, {}, false, false, false},
      {"src/core", {"support", "isa", "exec", "core"}, {}, false, false, true},
      {"src/expr", {"support", "core", "asm", "expr"}, {"fmt/"}, false, false, false},
      {"src/observe", {"support", "isa", "exec", "core", "observe"}, {}, false, false, false},
      {"src/lanes", {"support", "isa", "exec", "core", "lanes"}, {}, false, false, true},
      {"src/proof", {"support", "isa", "exec", "core", "proof"}, {"fmt/"}, false, false, false},
      {"src/asm", {"support", "isa", "asm"}, {"fmt/"}, false, false, false},
      {"src/loader",
       {"support", "isa", "core", "asm", "loader"},
       {"fmt/", "yaml-cpp/", "nlohmann/", "libelf.h", "gelf.h", "dwarf.h", "elf.h", "elfutils/", "dlfcn.h", "sys/",
        "fcntl.h", "unistd.h"},
       true,
       false,
       false},
      {"src/output", {"support", "isa", "core", "observe", "output"}, {"fmt/", "nlohmann/"}, true, false, false},
      {"src/page", {"support", "isa", "core", "observe", "output", "page"}, {"fmt/", "nlohmann/"}, false, false, false},
      {"src/suite",
       {"support", "core", "observe", "lanes", "loader", "suite"},
       {"fmt/", "sys/stat.h"},
       true,
       false,
       false},
      {"src/equiv",
       {"support", "isa", "exec", "core", "expr", "observe", "lanes", "proof", "loader", "output", "equiv"},
       {"fmt/", "nlohmann/"},
       false,
       false,
       false},
      {"src/sweep",
       {"support", "isa", "core", "expr", "observe", "lanes", "loader", "sweep"},
       {"fmt/", "nlohmann/"},
       false,
       false,
       false},
      {"src/capi",
       {"support", "expr", "observe", "loader", "debug", "suite", "capi"},
       {"salu.h", "cxxabi.h", "pthread.h"},
       false,
       false,
       false},
      {"src/debug", {"support", "isa", "core", "expr", "observe", "loader", "debug"}, {"fmt/"}, false, false, false},
      {"src/dap",
       {"support", "isa", "core", "expr", "loader", "debug", "dap"},
       {"fmt/", "nlohmann/"},
       false,
       false,
       false},
      {"apps",
       {"support", "isa", "core", "observe", "asm", "loader", "output", "debug", "suite", "equiv", "page", "dap"},
       {"CLI/", "fmt/", "nlohmann/", "spdlog/", "histedit.h", "sys/", "arpa/", "netinet/", "fcntl.h", "poll.h",
        "termios.h", "unistd.h"},
       true,
       true,
       false},
  };
  return all;
}

constexpr std::array<std::string_view, 11> stream_headers = {"fstream",   "iomanip",   "ios",        "iostream",
                                                             "istream",   "ostream",   "spanstream", "sstream",
                                                             "streambuf", "strstream", "syncstream"};

/// The rule for a file, given as its path from the repository's root; nullptr when no rule covers it.
const Rule* rule_for(std::string_view path) {
  for (const Rule& rule : rules()) {
    if (path == rule.folder || (path.starts_with(rule.folder) && path[rule.folder.size()] == '/')) return &rule;
  }
  return nullptr;
}

/// What an #include line names, with its delimiters: `<vector>`, `"isa/decode.hpp"`, or the bare rest of the line when
/// it is neither. Nothing for any other line.
std::optional<std::string> included(std::string_view line) {
  const auto skip_blanks = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  constexpr std::string_view keyword = "include";
  if (!line.starts_with(keyword)) return std::nullopt;
  line.remove_prefix(keyword.size());
  skip_blanks();
  if (line.empty()) return std::string();
  if (line.front() == '<' || line.front() == '"') {
    const std::size_t end = line.find(line.front() == '<' ? '>' : '"', 1);
    if (end != std::string_view::npos) return std::string(line.substr(0, end + 1));
  }
  return std::string(line);
}

bool starts_with_any(std::string_view text, std::span<const std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [text](std::string_view p) { return text.starts_with(p); });
}

/// C++'s own headers have no extension and no directory; C's and everybody else's have one or the other.
bool is_standard(std::string_view header) {
  return !header.empty() && header.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

std::string why_not_angle(const Rule& rule, std::string_view header) {
  if (header.starts_with("salu/")) return {};
  if (is_standard(header)) {
    const bool is_stream = std::find(stream_headers.begin(), stream_headers.end(), header) != stream_headers.end();
    return is_stream && !rule.streams ? "a stream header" : "";
  }
  if (starts_with_any(header, rule.external)) return {};
  return "neither <salu/...> nor a standard header nor a library of this folder";
}

std::string why_not_quoted(const Rule& rule, std::string_view header) {
  if (header.find("..") != std::string_view::npos) return "a path that leaves its folder";
  if (header.starts_with("salu/")) return "a public header in quotes: write <salu/...>";
  const std::size_t slash = header.find('/');
  if (slash == std::string_view::npos) return rule.siblings ? "" : "a path that does not start at src/";
  const std::string_view folder = header.substr(0, slash);
  if (std::find(rule.quoted.begin(), rule.quoted.end(), folder) == rule.quoted.end())
    return "against the direction of dependencies";
  const std::string_view name = header.substr(header.rfind('/') + 1);
  if (folder == "core" && (name.starts_with("dispatch") || name.starts_with("handlers")) && !rule.dispatch) {
    return "an internal of the dispatch";
  }
  return {};
}

/// Why the file at `path` may not contain `line`; empty when it may.
std::string violation(std::string_view path, std::string_view line) {
  const std::optional<std::string> what = included(line);
  if (!what) return {};
  const Rule* rule = rule_for(path);
  if (rule == nullptr) return "a folder without a rule: add one to this test";
  const std::string_view text = *what;
  if (text.size() >= 2 && text.front() == '<' && text.back() == '>')
    return why_not_angle(*rule, text.substr(1, text.size() - 2));
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return why_not_quoted(*rule, text.substr(1, text.size() - 2));
  return "an include that cannot be read";
}

struct SourceFile {
  std::string path;  ///< from the repository's root, with forward slashes
  std::vector<std::string> lines;
};

std::vector<SourceFile> source_files() {
  const std::filesystem::path root = SALU_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const char* top : {"src", "include", "apps"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || extension == ".txt") continue;
      SourceFile file{entry.path().lexically_relative(root).generic_string(), {}};
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  return files;
}

TEST(Includes, EveryFileObeysItsFoldersRule) {
  for (const SourceFile& file : source_files()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string why = violation(file.path, file.lines[i]);
      EXPECT_TRUE(why.empty()) << file.path << ':' << i + 1 << ": " << file.lines[i] << "\n  " << why;
    }
  }
}

TEST(Includes, TheScanSeesEveryFolder) {
  std::map<std::string_view, std::size_t> seen;
  for (const SourceFile& file : source_files()) {
    const Rule* rule = rule_for(file.path);
    ASSERT_NE(rule, nullptr) << file.path << " lies in a folder without a rule";
    for (const std::string& line : file.lines) seen[rule->folder] += included(line).has_value() ? 1 : 0;
  }
  for (const Rule& rule : rules()) EXPECT_GT(seen[rule.folder], 0U) << "no include was found below " << rule.folder;
}

/// The submodules of a module (the folders in its folder), each with those that it includes.
using Submodules = std::map<std::string, std::set<std::string>>;

/// The submodules of all modules of src/.
std::map<std::string, Submodules> submodules(std::span<const SourceFile> files) {
  // The first two folders of a path that starts at src/; the second is empty for a file of the module itself.
  const auto folders_of = [](std::string_view path) {
    const std::size_t module_end = path.find('/');
    const std::size_t end = path.find('/', module_end + 1);
    const bool is_in_submodule = module_end != std::string_view::npos && end != std::string_view::npos;
    return std::pair(std::string(path.substr(0, module_end)),
                     is_in_submodule ? std::string(path.substr(module_end + 1, end - module_end - 1)) : std::string());
  };
  std::map<std::string, Submodules> all;
  for (const SourceFile& file : files) {
    if (!file.path.starts_with("src/")) continue;
    const auto [module, submodule] = folders_of(std::string_view(file.path).substr(4));
    if (submodule.empty()) continue;
    std::set<std::string>& included_ones = all[module][submodule];
    for (const std::string& line : file.lines) {
      const std::string what = included(line).value_or("");
      if (!what.starts_with('"')) continue;
      const auto [other_module, other] = folders_of(std::string_view(what).substr(1));
      if (other_module == module && !other.empty() && other != submodule) included_ones.insert(other);
    }
  }
  return all;
}

/// A submodule that includes itself through others, or an empty string.
std::string find_cycle(Submodules graph) {
  // A submodule that includes none of the others left cannot be part of a cycle.
  for (bool found = true; found;) {
    found = false;
    for (const auto& [name, included_ones] : graph) {
      if (std::ranges::any_of(included_ones, [&](const std::string& other) { return graph.contains(other); })) continue;
      graph.erase(name);
      found = true;
      break;
    }
  }
  return graph.empty() ? "" : graph.begin()->first;
}

TEST(Includes, SubmodulesHaveNoCycle) {
  const std::map<std::string, Submodules> all = submodules(source_files());
  EXPECT_TRUE(all.at("loader").at("scenario").contains("launch"));
  for (const auto& [module, graph] : all) EXPECT_EQ(find_cycle(graph), "") << "in src/" << module;
}

TEST(Includes, ACycleOfSubmodulesIsFound) {
  EXPECT_EQ(find_cycle({{"a", {"b"}}, {"b", {"c"}}, {"c", {}}}), "");
  EXPECT_EQ(find_cycle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), "a");
}

TEST(Includes, PublicAndInternalHeadersHaveAPragmaOnce) {
  for (const SourceFile& file : source_files()) {
    if (!file.path.ends_with(".hpp")) continue;
    EXPECT_NE(std::find(file.lines.begin(), file.lines.end(), "#pragma once"), file.lines.end()) << file.path;
  }
}

struct Example {
  std::string_view path;
  std::string_view line;
  std::string_view why;  ///< part of the message; empty when the line is allowed
};

TEST(Includes, TheRulesRejectWhatTheyShould) {
  constexpr std::string_view direction = "against the direction";
  constexpr std::string_view foreign = "neither <salu/...> nor";
  const std::vector<Example> examples = {
      {"src/isa/decode.cpp", "#include \"core/state.hpp\"", direction},
      {"src/isa/decode.cpp", "#include \"asm/lexer.hpp\"", direction},
      {"src/isa/decode.cpp", "  #  include   \"loader/elf.hpp\"  // why", direction},
      {"src/isa/decode.cpp", "#include <yaml-cpp/yaml.h>", foreign},
      {"src/isa/decode.cpp", "#include <iostream>", "stream header"},
      {"src/isa/semantics/all.hpp", "#include \"../../core/state.hpp\"", "leaves its folder"},
      {"src/isa/decode.cpp", "#include \"decode.hpp\"", "does not start at src/"},
      {"src/isa/decode.cpp", "#include \"salu/state.hpp\"", "write <salu/...>"},
      {"src/isa/decode.cpp", "#include SALU_TABLE", "cannot be read"},
      {"src/isa/decode.cpp", "#include <vector", "cannot be read"},
      {"src/isa/decode.cpp", "#include", "cannot be read"},
      {"src/support/names.cpp", "#include \"isa/decode.hpp\"", direction},
      {"src/core/machine.cpp", "#include \"observe/accesses.hpp\"", direction},
      {"src/core/run.cpp", "#include <fstream>", "stream header"},
      {"src/core/run.cpp", "#include <ostream>", "stream header"},
      {"src/core/run.cpp", "#include <sstream>", "stream header"},
      {"src/core/run.cpp", "#include <spdlog/spdlog.h>", foreign},
      {"src/core/run.cpp", "#include <fmt/format.h>", foreign},
      {"src/capi/running.cpp", "#include <fmt/format.h>", foreign},
      {"src/debug/session.cpp", "#include \"capi/objects.hpp\"", direction},
      {"include/salu.h", "#include \"capi/objects.hpp\"", direction},
      {"include/salu.h", "#include <stdio.h>", foreign},
      {"src/core/run.cpp", "#include <libelf.h>", foreign},
      {"src/support/numbers.cpp", "#include <fmt/format.h>", foreign},
      {"src/isa/disassemble.cpp", "#include <fmt/format.h>", foreign},
      {"src/observe/event_text.cpp", "#include <fmt/format.h>", foreign},
      {"src/core/run.cpp", "#include \"yaml-cpp/yaml.h\"", direction},
      {"src/core/run.cpp", "#include \"asm/assembler.hpp\"", direction},
      {"src/core/run.cpp", "#include \"output/formats.hpp\"", direction},
      {"src/asm/parser.cpp", "#include \"core/state.hpp\"", direction},
      {"src/asm/parser.cpp", "#include <nlohmann/json.hpp>", foreign},
      {"src/loader/scenario.cpp", "#include \"output/formats.hpp\"", direction},
      {"src/loader/scenario.cpp", "#include \"core/dispatch.hpp\"", "internal of the dispatch"},
      {"src/loader/scenario.cpp", "#include \"core/handlers_sop1.hpp\"", "internal of the dispatch"},
      {"src/loader/scenario.cpp", "#include <CLI/CLI.hpp>", foreign},
      {"src/loader/scenario.cpp", "#include <spdlog/spdlog.h>", foreign},
      {"src/output/state_json.cpp", "#include \"loader/scenario.hpp\"", direction},
      {"src/output/state_json.cpp", "#include \"core/dispatch_loop.hpp\"", "internal of the dispatch"},
      {"src/output/state_json.cpp", "#include <spdlog/spdlog.h>", foreign},
      {"src/output/state_yaml.cpp", "#include <yaml-cpp/yaml.h>", foreign},
      {"apps/salu/run.cpp", "#include \"core/detail/dispatch.hpp\"", "internal of the dispatch"},
      {"apps/salu/run.cpp", "#include <libelf.h>", foreign},
      {"apps/salu/run.cpp", "#include \"../../src/core/run.hpp\"", "leaves its folder"},
      {"src/core/run.cpp", "#include \"apps/salu/run.hpp\"", direction},
      {"include/salu/state.hpp", "#include \"core/state.hpp\"", direction},
      {"include/salu/state.hpp", "#include \"state.hpp\"", "does not start at src/"},
      {"include/salu/state.hpp", "#include <yaml-cpp/yaml.h>", foreign},
      {"include/salu/state.hpp", "#include <spdlog/spdlog.h>", foreign},
      {"include/salu/state.hpp", "#include <fmt/format.h>", foreign},
      {"include/salu/state.hpp", "#include <libelf.h>", foreign},
      {"include/salu/state.hpp", "#include <nlohmann/json.hpp>", foreign},
      {"include/salu/state.hpp", "#include <ostream>", "stream header"},
      {"src/isa_extra/table.cpp", "#include <vector>", "folder without a rule"},
      {"src/gpu/table.cpp", "#include <vector>", "folder without a rule"},
  };
  for (const Example& example : examples) {
    EXPECT_NE(violation(example.path, example.line).find(example.why), std::string::npos)
        << example.path << ": " << example.line << "\n  got: " << violation(example.path, example.line);
  }
}

TEST(Includes, TheRulesAllowWhatTheyShould) {
  const std::vector<Example> examples = {
      {"src/isa/decode.cpp", "#include \"isa/decode.hpp\"", ""},
      {"src/isa/decode.cpp", "#include \"isa/instructions/sop2.def\"", ""},
      {"src/isa/decode.cpp", "#include <salu/state.hpp>", ""},
      {"src/isa/decode.cpp", "#include <bit>", ""},
      {"src/core/run_goto.cpp", "#include \"core/dispatch.hpp\"", ""},
      {"src/core/run_goto.cpp", "#include \"core/handlers.hpp\"", ""},
      {"src/core/run_goto.cpp", "#include \"isa/decode.hpp\"", ""},
      {"src/asm/parser.cpp", "#include \"asm/lexer.hpp\"", ""},
      {"src/loader/scenario.cpp", "#include <yaml-cpp/yaml.h>", ""},
      {"src/loader/scenario.cpp", "#include <fmt/format.h>", ""},
      {"src/loader/elf.cpp", "#include <gelf.h>", ""},
      {"src/loader/elf.cpp", "#include <fstream>", ""},
      {"src/loader/elf.cpp", "#include \"asm/assembler.hpp\"", ""},
      {"src/output/state_json.cpp", "#include <nlohmann/json.hpp>", ""},
      {"apps/salu/run.cpp", "#include <CLI/CLI.hpp>", ""},
      {"apps/salu/run.cpp", "#include \"exit_codes.hpp\"", ""},
      {"apps/salu/run.cpp", "#include \"loader/scenario.hpp\"", ""},
      {"include/salu/state.hpp", "#include <salu/target.hpp>", ""},
      {"include/salu/state.hpp", "#include <cstdint>", ""},
      {"src/core/run.cpp", "// #include <iostream>", ""},
      {"src/core/run.cpp", "#define INCLUDE <iostream>", ""},
      {"src/core/run.cpp", "", ""},
  };
  for (const Example& example : examples) {
    EXPECT_EQ(violation(example.path, example.line), "") << example.path << ": " << example.line;
  }
}

}  // namespace
