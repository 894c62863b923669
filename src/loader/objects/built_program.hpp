#pragma once

#include <salu/error.hpp>
#include <salu/program.hpp>

#include <string>
#include <vector>

#include "loader/objects/elf_image.hpp"
#include "loader/objects/entry_function.hpp"

namespace salu::loader {

/// Memory of an object that is not code: constants, variables, the global offset table.
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
  u32 code_object_version = 0;  ///< 2 to 6 for amdhsa, otherwise 0
  u32 flags = 0;                ///< e_flags
  std::vector<Symbol> symbols;  ///< with final addresses, sorted; kernel descriptors (`k.kd`) are in data blocks
  std::vector<ElfNote> notes;
};

/// A place in the code with the address of a symbol, in the assembler's syntax: `f@rel32@lo+4`.
struct Reference {
  u64 address = 0;
  std::string text;
};

/// A relocation in the code. It has been applied unless its symbol is undefined.
struct PlacedRelocation {
  u64 address = 0;
  std::string type;    ///< `R_AMDGPU_REL32_LO`
  std::string symbol;  ///< the symbol or section; may be empty
  i64 addend = 0;
};

/// A program and the warnings of building it.
struct BuiltProgram {
  Program program;
  std::vector<DataBlock> data;                ///< without overlaps with each other and the code
  std::vector<LoadedObject> objects;          ///< in the order of the blocks
  std::vector<Symbol> functions;              ///< compiled ones (STT_FUNC), by address
  std::vector<Reference> references;          ///< by address
  std::vector<PlacedRelocation> relocations;  ///< of the code of objects, by address
  std::vector<Remark> remarks;
  EnteredFunction entered;  ///< the function at the entry
};

}  // namespace salu::loader
