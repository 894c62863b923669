#include "loader/program/code_files.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "loader/objects/other_files.hpp"
#include "loader/program/program_builder.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "support/byte_order_mark.hpp"
#include "support/names.hpp"

namespace salu::loader {
namespace {

std::string lower_extension(const std::string& path) {
  return support::lower_case(std::filesystem::path(path).extension().string());
}

void check_text(std::string_view text, const std::string& file, ErrorCode code) {
  const std::size_t wrong = find_non_text(text);
  if (wrong == std::string_view::npos) return;
  const auto [line, column] = position_of(text, wrong);
  reject(code, {file, line, column},
         text[wrong] == '\0' ? "not a text file: it contains a NUL byte" : "not a text file: it is not valid UTF-8");
}

u32 hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<u32>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<u32>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<u32>(c - 'A' + 10);
  return 16;
}

std::vector<u32> scan_hex_words(std::string_view text, const std::string& file) {
  constexpr std::string_view separators = " \t\r\n,";
  constexpr std::size_t most_digits = 8;
  std::vector<u32> words;
  const auto fail = [&](std::size_t offset, const std::string& message) {
    const auto [line, column] = position_of(text, offset);
    reject(ErrorCode::words, {file, line, column}, message, std::string(Lines(text).line(line)));
  };
  std::size_t i = 0;
  while ((i = text.find_first_not_of(separators, i)) != std::string_view::npos) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with('#') || rest.starts_with("//")) {
      i = text.find('\n', i);
      if (i == std::string_view::npos) break;
      continue;
    }
    if (rest.starts_with(support::byte_order_mark)) fail(i, std::string(support::byte_order_mark_advice));
    std::size_t end = std::min(text.find_first_of(" \t\r\n,#/", i), text.size());
    if (end == i) ++end;  // a lone slash
    std::string_view token = text.substr(i, end - i);
    std::string_view digits = token;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    u32 word = 0;
    for (const char c : digits.substr(0, most_digits)) {
      if (hex_value(c) > 15) fail(i, "`" + std::string(support::beginning(token, 40)) + "` is not a hexadecimal word");
      word = word << 4 | hex_value(c);
    }
    if (digits.empty()) fail(i, "`" + std::string(token) + "` is not a hexadecimal word");
    if (digits.size() > most_digits) {
      fail(i, "`" + std::string(support::beginning(token, 40)) + "` has more than eight digits: words have 32 bits");
    }
    words.push_back(word);
    i = end;
  }
  return words;
}

}  // namespace

std::optional<CodeFileKind> code_file_kind(std::string_view bytes, const std::string& path) {
  if (is_elf(bytes)) return CodeFileKind::elf;
  const std::string extension = lower_extension(path);
  // A file with the extension of an object but other contents is reported as a damaged object.
  if (extension == ".o" || extension == ".so" || extension == ".hsaco") return CodeFileKind::elf;
  if (extension == ".s" || extension == ".asm") return CodeFileKind::assembly;
  if (extension == ".hex") return CodeFileKind::hex_words;
  if (extension == ".bin") return CodeFileKind::binary;
  if (!describe_other_file(bytes).empty()) return CodeFileKind::elf;
  return std::nullopt;
}

CodeInput make_code_input(std::string bytes, const std::string& path, CodeFileKind kind) {
  CodeInput input;
  input.file = display_name(path);
  input.where = {input.file};
  switch (kind) {
    case CodeFileKind::elf:
      if (const std::string other = describe_other_file(bytes); !other.empty())
        reject(ErrorCode::elf, input.where, other);
      input.kind = CodeInput::Kind::elf;
      input.text = std::move(bytes);
      break;
    case CodeFileKind::assembly:
      check_text(bytes, input.file, ErrorCode::assembly);
      input.kind = CodeInput::Kind::assembly;
      input.text = std::move(bytes);
      break;
    case CodeFileKind::hex_words:
      input.words = parse_hex_words(bytes, input.file);
      break;
    case CodeFileKind::binary:
      input.words = parse_binary_words(bytes, input.file);
      break;
  }
  return input;
}

CodeInput make_code_input(std::string bytes, const std::string& path, const SourcePlace& where,
                          const std::string& source_line) {
  const auto kind = code_file_kind(bytes, path);
  if (!kind) {
    reject(ErrorCode::scenario, where,
           "the kind of code in `" + path +
               "` is unknown: expected an ELF object, or a file name that ends in .s (assembly), .hex (hexadecimal "
               "words) or .bin",
           source_line);
  }
  return make_code_input(std::move(bytes), path, *kind);
}

CodeInput read_code_file(const std::string& path, const FileRules& rules) {
  return make_code_input(read_file(path, file_limit_bytes, "a file of code", rules), path, {path}, {});
}

Result<BuiltProgram> load_code_file(const std::string& path, const std::string& mcpu, std::optional<u64> base,
                                    bool takes_assembly) {
  try {
    std::string bytes = read_file(path, file_limit_bytes, "a file of code", {});
    const CodeFileKind kind = code_file_kind(bytes, path).value_or(CodeFileKind::hex_words);
    if (kind == CodeFileKind::assembly && !takes_assembly)
      reject(ErrorCode::words, {path}, "this is assembly; expected an ELF object, .bin or hexadecimal words");
    std::vector<CodeInput> inputs;
    inputs.push_back(make_code_input(std::move(bytes), path, kind));
    inputs.back().base = base;
    if (!base && kind == CodeFileKind::elf) {
      inputs.back().base = 0;
      inputs.back().as_in_file = true;
    }
    const Target* target = choose_target(inputs, find_target(mcpu), "--mcpu", {display_name(path)});
    return place_code(std::move(inputs), *target);
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

Result<BuiltProgram> assemble_file(const std::string& path, const Target& target, const AssemblyOptions& assembly,
                                   const FileRules& files) {
  try {
    std::vector<CodeInput> inputs;
    inputs.push_back(
        make_code_input(read_file(path, file_limit_bytes, "a text file", {}), path, CodeFileKind::assembly));
    inputs.back().assembly = assembly;
    inputs.back().files = files;
    return place_code(std::move(inputs), target);
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

std::vector<u32> parse_hex_words(std::string_view text, const std::string& file) {
  check_text(text, file, ErrorCode::words);
  std::vector<u32> words = scan_hex_words(text, file);
  if (words.empty()) reject(ErrorCode::words, {file}, "the file contains no words");
  return words;
}

Result<std::vector<u32>> read_words_line(std::string_view line, const std::string& file, u32 line_number) {
  try {
    check_text(line, file, ErrorCode::words);
    return scan_hex_words(line, file);
  } catch (Rejection& rejection) {
    Error error = std::move(rejection).take();
    error.where.line = line_number;
    return error;
  }
}

std::vector<u32> parse_binary_words(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) reject(ErrorCode::words, {file}, "the file is empty");
  if (bytes.size() % 4 != 0) {
    SourcePlace where{file};
    where.offset_bytes = bytes.size() / 4 * 4;
    reject(ErrorCode::words, where,
           fmt::format("the size of {} bytes is not a multiple of 4: instructions are whole dwords", bytes.size()));
  }
  std::vector<u32> words(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= u32{static_cast<u8>(bytes[i])} << (8 * (i % 4));
  return words;
}

}  // namespace salu::loader
