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

/// Reads the file of an `.include` or `.incbin`: what is written there, and the name of the file in which it is.
using IncludeReader = std::function<Result<IncludedFile>(const std::string& path, const std::string& from)>;

struct Options {
  Generation generation = Generation::gcn1_4;
  const Target* target = nullptr;                 ///< the processor; null: the one that stands for the generation
  std::string file;                               ///< for messages
  u64 base = 0;                                   ///< byte address of the first word; labels get absolute addresses
  u32 first_line = 1;                             ///< line of the text's first line in `file` (assembly inside YAML)
  u32 first_column = 1;                           ///< column of the text's first column in `file`
  std::size_t most_words = std::size_t{1} << 20;  ///< more code than this (4 MiB) is an error
  std::vector<std::pair<std::string, i64>> constants{};  ///< names that are known from the start
  /// Names that nothing in a text defines and whoever loads it fills in; instructions have room for any value of
  /// theirs.
  std::vector<std::pair<std::string, u32>> externals{};
  IncludeReader include{};  ///< none: files cannot be included
  /// Whether an instruction that salu does not encode is put into `Assembly::unencoded`; else it is an error.
  bool keeps_unencoded = false;
};

/// A section beside the code.
struct AssembledData {
  u64 base = 0;
  std::vector<u8> bytes;
  Access access = Access::read;
};

/// What a text says of the object that it is meant to become.
struct ObjectOfText {
  std::string system;                ///< `amdhsa`, `amdpal`, `mesa3d`: of `.amdgcn_target`; empty when it says nothing
  std::string target;                ///< all of it: `amdgcn-amd-amdhsa--gfx90a:xnack-`
  u32 code_object_version = 0;       ///< 0: it says nothing
  std::string metadata;              ///< YAML of `.amdgpu_metadata`
  std::vector<std::string> kernels;  ///< of `.amdhsa_kernel`
};

/// The address of a symbol that an instruction or a datum holds: `table@rel32@lo+4`.
struct SymbolUse {
  u64 address = 0;
  std::string text;
};

/// An instruction that LLVM has and salu does not encode. One dword, which no generation has an instruction for, takes
/// its place.
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

/// Words and what is known about them. `errors` is empty when the text assembled.
struct Assembly {
  std::vector<u32> words;
  std::vector<AssembledData> data;              ///< behind the code, by address
  std::vector<Symbol> labels;                   ///< of code and data, by address; constants of `.set` are not here
  std::vector<Symbol> functions;                ///< those that `.type` declares as `@function`
  std::vector<SymbolUse> references;            ///< with relocations or of `externals`, by address
  std::vector<SymbolUse> unresolved;            ///< of symbols that a text with functions or kernels leaves to a linker
  std::vector<KernelWithHeader> headers;        ///< by address
  std::vector<UnencodedInstruction> unencoded;  ///< with `Options::keeps_unencoded`, by address
  ObjectOfText object;
  std::vector<LineEntry> lines;    ///< one an instruction: where it is written, or the macro is used that it is from
  std::vector<std::string> files;  ///< the text's own and those that it includes; `lines` has indices into it
  std::vector<Error> errors;       ///< every error of the text, in order
  bool has_unknown = false;        ///< among the errors are directives or instructions that are not known here
  bool lacks_files = false;        ///< among the errors are files that could not be included
  std::vector<Remark> remarks;     ///< accepted, but probably not meant
};

/// Assembles a whole text: labels, comments (`//`, `;`, `/* */`), `.set`-like constants, `.long`/`.dword` data, LLVM's
/// syntax and CLRX's spellings. Never throws.
Assembly assemble(std::string_view text, const Options& options);

}  // namespace salu::assembler
