#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/target.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace salu::assembler {

/// A file that the text includes.
struct IncludedFile {
  std::string name;  ///< for messages
  std::string text;
};

/// Reads the file of an `.include` or `.incbin`. Takes the path as written and the name of the file that contains the
/// directive.
using IncludeReader = std::function<Result<IncludedFile>(const std::string& path, const std::string& from)>;

struct Options {
  Generation generation = Generation::gcn1_4;
  const Target* target = nullptr;  ///< the processor; null: the default processor of the generation
  std::string file;                ///< for messages
  u64 base = 0;                    ///< byte address of the first word; labels get absolute addresses
  u32 first_line = 1;              ///< line of the first line of the text in `file` (for assembly inside YAML)
  u32 first_column = 1;            ///< column of the first column of the text in `file`
  std::size_t most_words = std::size_t{1} << 20;         ///< limit for the size of the code (4 MiB)
  std::vector<std::pair<std::string, i64>> constants{};  ///< predefined names
  /// Names that the text does not define and that the loader fills in; instructions reserve space for any value.
  std::vector<std::pair<std::string, u32>> externals{};
  IncludeReader include{};  ///< null: files cannot be included
  /// True to put instructions that salu does not encode into `Assembly::unencoded`; otherwise they are errors.
  bool keeps_unencoded = false;
};

/// A section of data.
struct AssembledData {
  u64 base = 0;
  std::vector<u8> bytes;
  Access access = Access::read;
};

/// Properties of the object that the text describes.
struct ObjectOfText {
  std::string system;                ///< `amdhsa`, `amdpal`, `mesa3d`: from `.amdgcn_target`; empty if not given
  std::string target;                ///< the whole target: `amdgcn-amd-amdhsa--gfx90a:xnack-`
  u32 code_object_version = 0;       ///< 0: not given
  std::string metadata;              ///< the YAML of `.amdgpu_metadata`
  std::vector<std::string> kernels;  ///< from `.amdhsa_kernel`
};

/// An instruction or a datum that contains the address of a symbol: `table@rel32@lo+4`.
struct SymbolUse {
  u64 address = 0;
  std::string text;
};

/// An instruction that LLVM supports and salu does not encode. One dword that is not an instruction of any generation
/// takes its place.
struct UnencodedInstruction {
  u64 address = 0;
  std::string text;
  SourcePlace where;
};

/// A kernel that begins with amd_kernel_code_t (`.amdgpu_hsa_kernel`), 256 bytes of the code.
struct KernelWithHeader {
  std::string name;
  u64 address = 0;  ///< of the header
};

/// The words and their description. `errors` is empty if the text was assembled without errors.
struct Assembly {
  std::vector<u32> words;
  std::vector<AssembledData> data;              ///< placed after the code, in order of address
  std::vector<Symbol> labels;                   ///< of code and data, in order of address; without constants of `.set`
  std::vector<Symbol> functions;                ///< those that `.type` declares as `@function`
  std::vector<SymbolUse> references;            ///< with relocations or to `externals`, in order of address
  std::vector<SymbolUse> unresolved;            ///< to symbols that a text with functions or kernels leaves to a linker
  std::vector<KernelWithHeader> headers;        ///< in order of address
  std::vector<UnencodedInstruction> unencoded;  ///< with `Options::keeps_unencoded`, in order of address
  ObjectOfText object;
  std::vector<LineEntry> lines;    ///< one for each instruction: its place, or the place where its macro is used
  std::vector<std::string> files;  ///< the main text and included files; `lines` has indices into this list
  std::vector<Error> errors;       ///< every error of the text, in order
  bool has_unknown = false;        ///< some errors are about directives or instructions that are unknown here
  bool lacks_files = false;        ///< some errors are about files that could not be included
  std::vector<Remark> remarks;     ///< accepted, but probably a mistake
};

/// Assembles a whole text: labels, comments (`//`, `;`, `/* */`), `.set`-like constants, `.long`/`.dword` data, LLVM's
/// syntax and CLRX's spellings. Never throws.
Assembly assemble(std::string_view text, const Options& options);

}  // namespace salu::assembler
