#pragma once

#include <salu/error.hpp>
#include <salu/program.hpp>

#include <string>
#include <vector>

#include "loader/objects/elf_image.hpp"
#include "loader/objects/entry_function.hpp"

namespace salu::loader {

/// The memory of an object beside its code: constants, variables, the global offset table.
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

/// A place in the code that holds the address of a symbol, in the assembler's syntax: `f@rel32@lo+4`.
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

/// A program and the warnings of building it.
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

}  // namespace salu::loader
