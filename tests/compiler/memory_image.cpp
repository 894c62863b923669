#include "compiler/memory_image.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "compiler/inputs.hpp"

namespace salu::compiler_test {
namespace {

// After the table and its areas around 64 KiB, before those around 128 KiB.
constexpr u64 pieces = MemoryImage::table_offset + 0x11000;
constexpr u64 sorted_offset = pieces;
constexpr u64 rows_offset = pieces + 0x1000;
constexpr u64 row_data_offset = pieces + 0x1800;
constexpr u64 list_offset = pieces + 0x3000;
constexpr u64 tree_offset = pieces + 0x4000;
constexpr u64 text_offset = pieces + 0x5000;
constexpr u64 pieces_end = pieces + 0x6000;

constexpr u64 sorted_count = 256;
constexpr u64 row_count = 16;
constexpr u64 node_bytes = 16;
constexpr u64 tree_node_bytes = 24;
constexpr u64 most_nodes = 40;
constexpr u64 alignment_bytes = 4096;

/// Half of all dwords are uniform, the others are near edge cases.
u32 draw_dword(Draw& draw) { return static_cast<u32>(draw.below(2) == 0 ? draw() : draw.value(32)); }

}  // namespace

void MemoryImage::Free::operator()(u8* bytes) const { std::free(bytes); }

MemoryImage::MemoryImage(u64 seed) : allocation_(static_cast<u8*>(std::calloc(size_bytes + alignment_bytes, 1))) {
  if (allocation_ == nullptr) {
    throw std::bad_alloc();
  }
  bytes_ = allocation_.get() + alignment_bytes - reinterpret_cast<u64>(allocation_.get()) % alignment_bytes;
  Draw draw("memory image " + std::to_string(seed));

  windows_ = {{table_offset - table_bytes, 2 * table_bytes + 64}, {pieces, pieces_end - pieces}};
  for (u64 distance = 2 * table_bytes; distance <= u64{1} << 20; distance *= 2) {
    windows_.push_back({table_offset + distance - 128, 256});
    windows_.push_back({table_offset - distance - 128, 256});
  }
  for (const Window& window : windows_) {
    for (u64 i = 0; i < window.size_bytes; i += 4) {
      write_dword(window.offset + i, draw_dword(draw));
    }
  }

  std::vector<u32> sorted(sorted_count);
  std::generate(sorted.begin(), sorted.end(), [&] { return draw_dword(draw); });
  std::sort(sorted.begin(), sorted.end());
  for (u64 i = 0; i < sorted_count; ++i) {
    write_dword(sorted_offset + i * 4, sorted[i]);
  }

  // Rows and list nodes are stored in a shuffled order.
  for (u64 i = 0; i < row_count; ++i) {
    write_link(rows_offset + i * 8, row_data_offset + draw.below(32) * 64);
  }
  std::vector<u64> places;
  for (u64 i = 0; i < 1 + draw.below(most_nodes); ++i) {
    places.push_back(list_offset + i * node_bytes);
  }
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[draw.below(i)]);
  }
  list_ = places.front();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + 1 < places.size()) {
      write_link(places[i], places[i + 1]);
    } else {
      write_dword(places[i], 0);
      write_dword(places[i] + 4, 0);
    }
  }

  // A search tree built by insertion; the keys are values that arguments also have.
  struct Node {
    u32 key;
    std::array<std::size_t, 2> children;  // 0: none, because the root is not a child
  };
  std::vector<Node> nodes;
  std::set<u32> keys;
  while (nodes.size() < most_nodes) {
    const u32 key = static_cast<u32>(draw.edge(32));
    if (!keys.insert(key).second) {
      continue;
    }
    nodes.push_back({key, {}});
    std::size_t at = 0;
    while (nodes.size() > 1) {
      std::size_t& child = nodes[at].children[key < nodes[at].key ? 0 : 1];
      if (child == 0) {
        child = nodes.size() - 1;
        break;
      }
      at = child;
    }
  }
  tree_ = tree_offset;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const u64 offset = tree_offset + i * tree_node_bytes;
    for (u64 side = 0; side < 2; ++side) {
      write_dword(offset + side * 8, 0);
      write_dword(offset + side * 8 + 4, 0);
      if (const std::size_t child = nodes[i].children[side]; child != 0) {
        write_link(offset + side * 8, tree_offset + child * tree_node_bytes);
      }
    }
    write_dword(offset + 16, nodes[i].key);
  }

  const u64 length = draw.below(120);
  for (u64 i = 0; i < length; ++i) {
    bytes_[text_offset + i] = static_cast<u8>(1 + draw.below(255));
  }
  bytes_[text_offset + length] = 0;
}

void MemoryImage::write_dword(u64 offset, u32 value) { std::memcpy(bytes_ + offset, &value, sizeof value); }

void MemoryImage::write_link(u64 offset, u64 target) {
  links_.push_back({offset, target});
  const u64 address = native_base() + target;
  std::memcpy(bytes_ + offset, &address, sizeof address);
}

u64 MemoryImage::offset_of(std::string_view name) const {
  const std::array<std::pair<std::string_view, u64>, 6> all = {{{"table", table_offset},
                                                                {"sorted", sorted_offset},
                                                                {"rows", rows_offset},
                                                                {"list", list_},
                                                                {"tree", tree_},
                                                                {"text", text_offset}}};
  for (const auto& [known, offset] : all) {
    if (known == name) {
      return offset;
    }
  }
  throw std::invalid_argument("no part of the memory image is called '" + std::string(name) + "'");
}

bool MemoryImage::put_into(Memory& memory, u64 base) const {
  if (!memory.add_region({base, size_bytes, Access::read})) {
    return false;
  }
  for (const Window& window : windows_) {
    memory.write(base + window.offset, {bytes_ + window.offset, window.size_bytes});
  }
  for (const Link& link : links_) {
    const u64 address = base + link.target;
    memory.write_dword(base + link.offset, static_cast<u32>(address));
    memory.write_dword(base + link.offset + 4, static_cast<u32>(address >> 32));
  }
  return true;
}

bool differs_in_scratch_alone(const Memory& left, const Memory& right) {
  constexpr u64 scratch_start = 0x1'4000'0000;
  constexpr u64 scratch_end = scratch_start + 0x1000'0000;
  return std::ranges::all_of(Memory::differing_pages(left, right),
                             [&](u64 page) { return page >= scratch_start && page < scratch_end; });
}

}  // namespace salu::compiler_test
