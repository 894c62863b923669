#pragma once

#include <salu/error.hpp>
#include <salu/program.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/objects/elf_image.hpp"
#include "loader/objects/entry_function.hpp"

/// Blocks of code of any kind, put together to a program.
namespace salu::loader {

inline constexpr u64 default_base = 0x1000;
/// A block without a base of its own starts at the next multiple of this behind the block before it.
inline constexpr u64 block_alignment_bytes = 256;

/// One block before it is placed.
struct CodeInput {
  enum class Kind : u8 { assembly, words, elf };
  Kind kind = Kind::words;
  SourcePlace where;        ///< of the block, for messages about it as a whole
  std::string source_line;  ///< the line at `where`
  std::optional<u64> base;

  std::string text;         ///< assembly, or the bytes of the ELF file
  bool as_in_file = false;  ///< of an ELF file: relocations are not applied
  std::string file;         ///< that the text is from
  u32 first_line = 1;
  u32 first_column = 1;
  bool exact_places = true;  ///< false: lines of the text are not lines of the file; messages name `where`

  AssemblyOptions assembly{};  ///< of assembly
  FileRules files{};           ///< which files assembly may include

  std::vector<u32> words;

  std::string symbol;  ///< where to start; empty: at the block's first instruction or first function
  SourcePlace symbol_where;
  std::string symbol_line;  ///< the line at `symbol_where`
};

/// What an object has in memory beside its code: constants, variables, the global offset table.
struct DataBlock {
  u64 base = 0;
  std::vector<u8> bytes;  ///< from `base` on; the rest of the block is zero
  u64 size_bytes = 0;
  Access access = Access::read;

  [[nodiscard]] u64 end() const { return base + size_bytes; }
};

/// An ELF object among the blocks of code.
struct LoadedObject {
  std::string file;
  u8 os_abi = 0;                ///< EI_OSABI
  u32 code_object_version = 0;  ///< 2 to 6 for amdhsa, else 0
  u32 flags = 0;                ///< e_flags
  std::vector<Symbol> symbols;  ///< where they are now, by address; kernel descriptors (`k.kd`) are in data blocks
  std::vector<ElfNote> notes;
};

/// Where the address of a symbol was put into the code, in the words of the assembler: `f@rel32@lo+4`.
struct Reference {
  u64 address = 0;
  std::string text;
};

/// A relocation in the code, which has been applied where its symbol is known.
struct PlacedRelocation {
  u64 address = 0;
  std::string type;    ///< `R_AMDGPU_REL32_LO`
  std::string symbol;  ///< or the section that it is against; empty for none
  i64 addend = 0;
};

/// A program, and what was noticed on the way.
struct BuiltProgram {
  Program program;
  std::vector<DataBlock> data;                ///< apart from each other and from the code
  std::vector<LoadedObject> objects;          ///< in the order of the blocks
  std::vector<Symbol> functions;              ///< compiled ones (STT_FUNC), by address
  std::vector<Reference> references;          ///< by address
  std::vector<PlacedRelocation> relocations;  ///< of the code of objects, by address
  std::vector<Remark> remarks;
  EnteredFunction entered;  ///< what is at the entry
};

/// The kind of code in a file of these contents and name: ELF by its first bytes, else by the extension (.s, .hex,
/// .bin); nothing for any other.
enum class CodeFileKind : u8 { elf, assembly, hex_words, binary };
std::optional<CodeFileKind> code_file_kind(std::string_view bytes, const std::string& path);

/// Reads a file of code into an input. Rejects what cannot be read or is none of the kinds.
CodeInput read_code_file(const std::string& path, const FileRules& rules);

/// The same for contents that are there already. `where` is for messages about the kind.
CodeInput make_code_input(std::string bytes, const std::string& path, const SourcePlace& where,
                          const std::string& source_line);
CodeInput make_code_input(std::string bytes, const std::string& path, CodeFileKind kind);

/// Which target the code is for: `named` (of --mcpu or `target:`; may be null) or that of the first block that says
/// one, an ELF object or a text with `.amdgcn_target`. Rejects none at all, and two of different generations. `where`
/// is the place for these messages.
const Target* choose_target(const std::vector<CodeInput>& inputs, const Target* named, std::string_view named_by,
                            const SourcePlace& where);

/// Places, assembles and links up the blocks. `symbol` overrides where to start; empty: the inputs' own.
BuiltProgram build_program(std::vector<CodeInput> inputs, const Target& target, const std::string& symbol);

/// The same without choosing where to start: the code and the symbols alone.
BuiltProgram place_code(std::vector<CodeInput> inputs, const Target& target);

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
