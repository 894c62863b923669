#pragma once

#include <libelf.h>

#include <memory>

namespace salu::loader {

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
/// An ELF file opened by libelf.
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

}  // namespace salu::loader
