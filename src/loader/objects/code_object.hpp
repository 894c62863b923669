#pragma once

#include <salu/integer.hpp>
#include <salu/program.hpp>

#include <optional>
#include <string>
#include <vector>

#include "loader/objects/built_program.hpp"
#include "loader/objects/code_input.hpp"
#include "loader/objects/elf_image.hpp"
#include "loader/objects/relocations.hpp"

/// Placing of ELF objects in memory, with relocation.
namespace salu::loader {

/// A reference to a symbol that the object does not define.
struct MissingSymbol {
  u64 address = 0;
  RelocationType type = RelocationType::none;
  std::string symbol;
};

struct PlacedObject {
  std::vector<CodeBlock> code;  ///< by address, like `data`
  std::vector<DataBlock> data;
  std::vector<Symbol> symbols;    ///< in code and data
  std::vector<Symbol> functions;  ///< STT_FUNC symbols in the code, by address; each ends within its block
  std::vector<Reference> references;
  std::vector<PlacedRelocation> relocations;  ///< in the code, by address
  std::vector<MissingSymbol> missing;         ///< by address
  std::vector<u64> section_addresses;         ///< of `ElfImage::sections`
  u64 end = 0;                                ///< end address of the object
};

/// Places an object and applies its relocations. The sections of a relocatable object are placed in order from `base`
/// on, followed by common symbols and, if necessary, a global offset table. The segments of a shared object are placed
/// at base + p_vaddr. Data that needs the address of an undefined symbol is not mapped. Rejects objects that do not fit
/// into an address space of `address_space_end` bytes or have more than `most_bytes`, and relocations that cannot be
/// applied. `input` is for messages.
PlacedObject place_object(const ElfImage& image, u64 base, u64 address_space_end, u64 most_bytes,
                          const CodeInput& input);

}  // namespace salu::loader
