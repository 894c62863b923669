#include "loader/assembly/included_files.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "loader/rejection.hpp"
#include "loader/scenario/named_file.hpp"
#include "loader/text_file.hpp"
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

Result<assembler::IncludedFile> read_included(const CodeInput& input, const std::string& path,
                                              const std::string& from) {
  std::string found = resolve_path(path, from);
  for (const std::string& folder : input.assembly.include_folders) {
    if (is_there(found)) break;
    found = (std::filesystem::path(folder) / path).string();
  }
  if (!is_there(found)) {
    return Error{ErrorCode::io,
                 {},
                 fmt::format("there is no file {} beside the text{}; -I names folders to look in", support::quote(path),
                             folders_text(input.assembly.include_folders)),
                 {}};
  }
  if (auto forbidden = rules_problem(found, input.files)) return std::move(*forbidden);
  try {
    return assembler::IncludedFile{found, read_file(found, file_limit_bytes, "an included file", input.files)};
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

}  // namespace

assembler::IncludeReader include_reader(const CodeInput& input) {
  return [&input](const std::string& path, const std::string& from) { return read_included(input, path, from); };
}

}  // namespace salu::loader
