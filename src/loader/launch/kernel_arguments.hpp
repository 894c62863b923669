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

/// `args:` of a `kernel:` block, laid out as the kernel's metadata says.
namespace salu::loader {

/// Where what a launch needs is put: the first free place from here on. All of it lies within 40 bits.
inline constexpr u64 kernarg_segment_start = 0x1'0000'0000;
inline constexpr u64 dispatch_packet_start = 0x1'1000'0000;
inline constexpr u64 queue_start = 0x1'2000'0000;
inline constexpr u64 buffers_start = 0x2'0000'0000;
/// Buffers start at multiples of this, with at least a byte between them that is not mapped.
inline constexpr u64 buffer_alignment_bytes = 0x1'0000;

/// The first address from `start` on, aligned, at which so many bytes lie in no region; nothing when the address space
/// ends before.
std::optional<u64> find_free_address(const Memory& memory, u64 start, u64 size_bytes, u64 alignment,
                                     Generation generation);

/// A kernarg segment with the arguments that the scenario gives.
struct KernargSegment {
  std::vector<u8> bytes;
  std::vector<bool> given;      ///< per argument of the metadata
  u32 dynamic_group_bytes = 0;  ///< LDS that `dynamic_shared_pointer` arguments ask for, behind the fixed part

  /// Sets an argument's bytes; what is wider than the argument is cut off.
  void set(const KernelArgument& argument, u64 value);
};

/// What `args:` is read with.
struct ArgumentSources {
  const Document& document;
  const KernelMetadata& kernel;
  const SymbolIndex& symbols;
  Generation generation;
  MemoryReader& contents;
};

/// Reads `args:` (`arguments` is null when there is none; `block` is the whole of `kernel:`) and maps the buffers in
/// it. Rejects arguments that are missing, unknown or of the wrong kind or size, naming them.
KernargSegment read_kernel_arguments(const ArgumentSources& sources, const Node& block, const Node* arguments,
                                     Memory& memory);

}  // namespace salu::loader
