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

/// An ELF object put into memory, with its relocations applied.
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
  std::vector<Symbol> symbols;    ///< of code and data
  std::vector<Symbol> functions;  ///< those of STT_FUNC in the code, by address, none reaching beyond its block
  std::vector<Reference> references;
  std::vector<PlacedRelocation> relocations;  ///< of the code, by address
  std::vector<MissingSymbol> missing;         ///< by address
  std::vector<u64> section_addresses;         ///< of `ElfImage::sections`
  u64 end = 0;                                ///< behind all of it
};

/// Lays an object out and applies its relocations. A relocatable object's sections follow each other from `base` on,
/// then come common symbols and a global offset table if it needs one. A shared object's segments lie at base +
/// p_vaddr. Data that would hold the address of a missing symbol is left out of the memory. Rejects what does not fit
/// into an address space of `address_space_end` bytes, or holds more than `most_bytes`, and relocations that cannot be
/// applied. `input` is for messages.
PlacedObject place_object(const ElfImage& image, u64 base, u64 address_space_end, u64 most_bytes,
                          const CodeInput& input);

}  // namespace salu::loader
