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

/// The kind of code in a file of these contents and name: ELF by its first bytes, else by the extension (.s, .hex,
/// .bin); nothing for any other.
enum class CodeFileKind : u8 { elf, assembly, hex_words, binary };
std::optional<CodeFileKind> code_file_kind(std::string_view bytes, const std::string& path);

/// Reads a file of code into an input. An error if it cannot be read or is of another kind.
CodeInput read_code_file(const std::string& path, const FileRules& rules);

/// The same for contents that are there already. `where` is for messages about the kind.
CodeInput make_code_input(std::string bytes, const std::string& path, const SourcePlace& where,
                          const std::string& source_line);
CodeInput make_code_input(std::string bytes, const std::string& path, CodeFileKind kind);

/// The code of a file as `salu run` would place it: an ELF object, or words (binary for .bin, else hexadecimal text).
/// `path` may be `-`. `mcpu` may be empty for an ELF object. Without a `base` an object is as
/// its file has it: at its own addresses, its relocations not applied. Words are at `default_base` then.
/// `takes_assembly`: a text is assembled; else it is refused.
Result<BuiltProgram> load_code_file(const std::string& path, const std::string& mcpu, std::optional<u64> base,
                                    bool takes_assembly = false);

/// The code of an assembly file, or of standard input for `-`, placed at `default_base`.
Result<BuiltProgram> assemble_file(const std::string& path, const Target& target, const AssemblyOptions& assembly,
                                   const FileRules& files);

/// The hexadecimal words of one line; none for a blank line.
Result<std::vector<u32>> read_words_line(std::string_view line, const std::string& file, u32 line_number);

/// Hexadecimal words with or without 0x, separated by blanks, commas and newlines, with `//` and `#` comments.
std::vector<u32> parse_hex_words(std::string_view text, const std::string& file);
/// Little-endian words.
std::vector<u32> parse_binary_words(std::string_view bytes, const std::string& file);

}  // namespace salu::loader
