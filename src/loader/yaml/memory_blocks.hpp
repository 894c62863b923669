#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/scenario.hpp>

#include <array>
#include <string_view>
#include <vector>

#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// The size limit of all memory blocks of a document together, so that a short file cannot request any amount of
/// memory.
inline constexpr u64 memory_content_limit_bytes = u64{256} << 20;

/// The keys for the contents of memory. A block has one of them.
inline constexpr std::array<std::string_view, 8> memory_content_keys = {"words", "bytes", "qwords", "f16",
                                                                        "f32",   "f64",   "text",   "file"};

/// Reads memory blocks into a `Memory`.
class MemoryReader {
 public:
  MemoryReader(const Document& document, const Program& program, const SymbolIndex& symbols, const FileRules& files)
      : document_(document), program_(program), symbols_(symbols), files_(files) {}

  /// Reads `memory:` of a scenario: every block is a new region.
  void read_regions(const Node& node, Memory& memory);

  /// Reads `memory:` of a state file: a block inside existing memory replaces its contents, any other is a new region.
  void read_over(const Node& node, Memory& memory);

  /// Reads `expect: memory:`. Rejects addresses that the scenario does not map.
  std::vector<MemoryExpectation> read_expectations(const Node& node, const Memory& memory);

  /// Reads the bytes of one of `memory_content_keys`.
  std::vector<u8> read_content(const Node& node, std::string_view key);

 private:
  struct Block {
    const Node* node = nullptr;
    const Node* access_node = nullptr;  ///< null: not specified
    MemoryRegion region;
    std::vector<u8> content;
    u8 fill = 0;
  };

  Block read_block(const Node& node);
  std::vector<u8> read_numbers(const Node& node, std::string_view key, u32 bytes_each);
  std::vector<u8> read_floats(const Node& node, FloatFormat format);
  std::vector<u8> read_hex_bytes(const Node& node);
  std::vector<u8> read_data_file(const Node& node);
  void count(const Node& node, u64 bytes);
  void add(const Block& block, Memory& memory) const;
  static void fill(const Block& block, Memory& memory);

  const Document& document_;
  const Program& program_;
  const SymbolIndex& symbols_;
  const FileRules& files_;
  u64 content_bytes_ = 0;
};

}  // namespace salu::loader
