#pragma once

#include <salu/integer.hpp>

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "elf_builder.hpp"
#include "needs.hpp"
#include "unit/loader_helpers.hpp"

namespace salu::test {

// The address of memory that a launch creates.
inline constexpr u64 kernarg_address = 0x100000000;
inline constexpr u64 packet_address = 0x110000000;
inline constexpr u64 buffer_address = 0x200000000;

/// Metadata of a kernel `k` with the keys that the format requires.
inline nlohmann::json kernel_metadata(nlohmann::json arguments = nlohmann::json::array(), u64 kernarg_bytes = 64) {
  return {{".name", "k"},
          {".symbol", "k.kd"},
          {".kernarg_segment_size", kernarg_bytes},
          {".kernarg_segment_align", 8},
          {".group_segment_fixed_size", 0},
          {".private_segment_fixed_size", 0},
          {".wavefront_size", 64},
          {".sgpr_count", 16},
          {".vgpr_count", 1},
          {".max_flat_workgroup_size", 1024},
          {".args", std::move(arguments)}};
}

/// The MessagePack of metadata of some kernels.
inline std::string metadata_bytes(const std::vector<nlohmann::json>& kernels) {
  const nlohmann::json root = {{"amdhsa.version", {1, 2}}, {"amdhsa.kernels", kernels}};
  const std::vector<u8> bytes = nlohmann::json::to_msgpack(root);
  return {bytes.begin(), bytes.end()};
}

inline void put(std::string& bytes, std::size_t offset, u64 value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[offset + i] = static_cast<char>(value >> (8 * i));
}

/// Fields of a kernel descriptor at their offsets (LLVM AMDGPUUsage).
struct DescriptorFields {
  u32 group_bytes = 0;
  u32 private_bytes = 0;
  i64 entry_offset = 0;
  u32 rsrc1 = 0;
  u32 rsrc2 = 0;
  u32 rsrc3 = 0;
  u16 properties = 0;
  u16 preload = 0;

  [[nodiscard]] std::string bytes() const {
    std::string result(64, '\0');
    put(result, 0, group_bytes, 4);
    put(result, 4, private_bytes, 4);
    put(result, 16, static_cast<u64>(entry_offset), 8);
    put(result, 44, rsrc3, 4);
    put(result, 48, rsrc1, 4);
    put(result, 52, rsrc2, 4);
    put(result, 56, properties, 2);
    put(result, 58, preload, 2);
    return result;
  }
};

inline std::string metadata_note(std::string_view bytes) {
  std::string note(20, '\0');
  put(note, 0, 7, 4);
  put(note, 4, bytes.size(), 4);
  put(note, 8, 32, 4);
  note.replace(12, 6, "AMDGPU");
  note += bytes;
  note.resize((note.size() + 3) / 4 * 4, '\0');
  return note;
}

/// A relocatable object with a kernel `k` of these words, so that tests do not need a compiler and can damage anything.
struct KernelObject {
  std::vector<u32> words = {0xbf810000};  // s_endpgm
  DescriptorFields descriptor;
  std::string metadata = metadata_bytes({kernel_metadata()});
  bool has_note = true;
  bool has_descriptor = true;
  u32 flags = 0x2c;  // EF_AMDGPU_MACH_AMDGCN_GFX900

  [[nodiscard]] std::string build() const {
    ElfBuilder elf;
    elf.flags = flags;
    elf.os_abi = 64;      // ELFOSABI_AMDGPU_HSA
    elf.abi_version = 3;  // code object V5
    const u16 text = elf.add_code(".text", words, 256);
    const u16 data = elf.add({".rodata", SHT_PROGBITS, SHF_ALLOC, 0, 64, descriptor.bytes(), 0, 0, 0});
    if (has_note) elf.add({".note", SHT_NOTE, SHF_ALLOC, 0, 4, metadata_note(metadata), 0, 0, 0});
    const u32 entry = elf.add_symbol("k", text, 0, words.size() * 4);
    if (has_descriptor) elf.add_symbol("k.kd", data, 0, 64, STT_OBJECT);
    constexpr u32 rel64 = 5;  // R_AMDGPU_REL64
    elf.add_relocation(data, 16, rel64, entry, descriptor.entry_offset + 16);
    return elf.build();
  }
};

/// The output of an LLVM tool; the test fails if the tool fails.
inline std::string run_llvm(const std::string& command) {
  const TemporaryFolder folder;
  const std::string output = folder.path("out");
  const int status = std::system((command + " >" + output + " 2>&1").c_str());
  std::ifstream file(output);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(status, 0) << command << "\n" << text.str();
  return text.str();
}

}  // namespace salu::test
