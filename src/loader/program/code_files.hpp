#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/built_program.hpp"
#include "loader/objects/code_input.hpp"

/// Files of code.
namespace salu::loader {

/// Determines the kind of a file: ELF by its first bytes, otherwise by the extension (.s, .hex, .bin); nothing for
/// other files.
enum class CodeFileKind : u8 { elf, assembly, hex_words, binary };
std::optional<CodeFileKind> code_file_kind(std::string_view bytes, const std::string& path);

/// Reads a file of code. Rejects files that cannot be read or are of another kind.
CodeInput read_code_file(const std::string& path, const FileRules& rules);

/// Makes an input of the contents of a file. `where` is the place of errors about the kind.
CodeInput make_code_input(std::string bytes, const std::string& path, const SourcePlace& where,
                          const std::string& source_line);
CodeInput make_code_input(std::string bytes, const std::string& path, CodeFileKind kind);

/// Loads the code of a file as `salu run` would place it: an ELF object, or words (binary for .bin, otherwise
/// hexadecimal text). `path` may be `-`. `mcpu` may be empty for an ELF object. Without a `base` an object has the
/// addresses of the file, without relocation, and words are at `default_base`. With `takes_assembly` a text is
/// assembled, otherwise it is rejected.
Result<BuiltProgram> load_code_file(const std::string& path, const std::string& mcpu, std::optional<u64> base,
                                    bool takes_assembly = false);

/// Assembles a file, or standard input for `-`, at `default_base`.
Result<BuiltProgram> assemble_file(const std::string& path, const Target& target, const AssemblyOptions& assembly,
                                   const FileRules& files);

/// Parses the hexadecimal words of one line; empty for a blank line.
Result<std::vector<u32>> read_words_line(std::string_view line, const std::string& file, u32 line_number);

/// Parses hexadecimal words with or without 0x, separated by blanks, commas and newlines, with `//` and `#` comments.
std::vector<u32> parse_hex_words(std::string_view text, const std::string& file);
/// Converts bytes to little-endian words.
std::vector<u32> parse_binary_words(std::string_view bytes, const std::string& file);

}  // namespace salu::loader
