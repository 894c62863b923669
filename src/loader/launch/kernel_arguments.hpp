#pragma once

#include <salu/memory.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <vector>

#include "loader/objects/kernel_metadata.hpp"
#include "loader/yaml/memory_blocks.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// Reading of `args:` of a `kernel:` block into a kernarg segment with the layout of the kernel's metadata.
namespace salu::loader {

/// Addresses from which free memory for the parts of a launch is searched. All are within 40 bits.
inline constexpr u64 kernarg_segment_start = 0x1'0000'0000;
inline constexpr u64 dispatch_packet_start = 0x1'1000'0000;
inline constexpr u64 queue_start = 0x1'2000'0000;
inline constexpr u64 buffers_start = 0x2'0000'0000;
/// Buffers start at multiples of this, with at least one unmapped byte between them.
inline constexpr u64 buffer_alignment_bytes = 0x1'0000;

/// Finds the first aligned address from `start` on with `size_bytes` unmapped bytes; nothing if the address space is
/// too small.
std::optional<u64> find_free_address(const Memory& memory, u64 start, u64 size_bytes, u64 alignment,
                                     Generation generation);

/// A kernarg segment with the arguments that the scenario gives.
struct KernargSegment {
  std::vector<u8> bytes;
  std::vector<bool> given;      ///< for each argument of the metadata
  u32 dynamic_group_bytes = 0;  ///< LDS for `dynamic_shared_pointer` arguments, after the fixed part

  /// Sets an argument's bytes; higher bits of the value are ignored.
  void set(const KernelArgument& argument, u64 value);
};

/// The context for reading `args:`.
struct ArgumentSources {
  const Document& document;
  const KernelMetadata& kernel;
  const SymbolIndex& symbols;
  Generation generation;
  MemoryReader& contents;
};

/// Reads `args:` (`arguments`, null if absent; `block` is the whole `kernel:`) and maps its buffers. Rejects arguments
/// that are missing, unknown or of the wrong kind or size, and names them.
KernargSegment read_kernel_arguments(const ArgumentSources& sources, const Node& block, const Node* arguments,
                                     Memory& memory);

}  // namespace salu::loader
