#include "loader/assembly/included_files.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "loader/yaml/named_file.hpp"
#include "support/names.hpp"

namespace salu::loader {
namespace {

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

std::string folders_text(const std::vector<std::string>& folders) {
  std::string text;
  for (const std::string& folder : folders) text += fmt::format(", {}", support::quote(folder));
  return text;
}

/// Returns the path of an included file, or an error if it is missing or not allowed.
Result<std::string> find_included(const CodeInput& input, const std::string& path, const std::string& from) {
  std::string found = resolve_path(path, from);
  for (const std::string& folder : input.assembly.include_folders) {
    if (is_there(found)) break;
    found = (std::filesystem::path(folder) / path).string();
  }
  if (!is_there(found)) {
    return Error{ErrorCode::io,
                 {},
                 fmt::format("cannot find file {} in the folder of the text{}; -I adds folders to search",
                             support::quote(path), folders_text(input.assembly.include_folders)),
                 {}};
  }
  if (auto forbidden = rules_problem(found, input.files)) return std::move(*forbidden);
  return found;
}

Result<assembler::IncludedFile> read_included(const CodeInput& input, const std::string& path,
                                              const std::string& from) {
  const Result<std::string> found = find_included(input, path, from);
  if (!found) return found.error();
  try {
    const FileRules rules = only_regular(input.files);
    return assembler::IncludedFile{*found, read_file(*found, file_limit_bytes, "an included file", rules)};
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

/// Returns the quoted name after a directive in a line; empty if none exists.
std::string_view name_behind(std::string_view line, std::string_view directive) {
  const std::size_t at = line.find(directive);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + directive.size());
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line[begin] != '"') return {};
  line.remove_prefix(begin + 1);
  const std::size_t end = line.find('"');
  return end == std::string_view::npos ? std::string_view() : line.substr(0, end);
}

}  // namespace

std::optional<Error> find_overwritten(const CodeInput& input) {
  if (input.files.outputs.empty() && !input.files.read) return std::nullopt;
  std::vector<assembler::IncludedFile> texts = {{input.file, input.text}};
  std::set<std::string> seen;
  while (!texts.empty()) {
    const assembler::IncludedFile text = std::move(texts.back());
    texts.pop_back();
    const Lines lines(text.text);
    for (u32 number = 1; number <= lines.count(); ++number) {
      for (const std::string_view directive : {".include", ".incbin"}) {
        const std::string name(name_behind(lines.whole_line(number), directive));
        if (name.empty()) continue;
        const Result<std::string> found = find_included(input, name, text.name);
        if (!found && found.error().code == ErrorCode::overwrite) {
          const u32 lines_before = text.name == input.file ? input.first_line - 1 : 0;
          return Error{ErrorCode::overwrite, {text.name, lines_before + number}, found.error().message, {}};
        }
        if (!found || !seen.insert(std::string(directive) + *found).second) continue;
        if (directive == ".incbin") {
          if (input.files.read) input.files.read(*found);
          continue;
        }
        Result<assembler::IncludedFile> file = read_included(input, name, text.name);
        if (file) texts.push_back(*std::move(file));
      }
    }
  }
  return std::nullopt;
}

assembler::IncludeReader include_reader(const CodeInput& input) {
  return [&input](const std::string& path, const std::string& from) { return read_included(input, path, from); };
}

}  // namespace salu::loader
