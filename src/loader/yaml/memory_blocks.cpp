#include "loader/yaml/memory_blocks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "loader/yaml/named_file.hpp"

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 12> block_keys = {"at",  "words", "bytes", "qwords", "f16",  "f32",
                                                         "f64", "text",  "file",  "fill",   "size", "access"};
constexpr std::array<std::string_view, 10> expected_memory_keys = {"at",  "words", "bytes", "qwords", "f16",
                                                                   "f32", "f64",   "text",  "file",   "ulps"};
constexpr std::size_t most_memory_blocks = 65536;

void write_repeated(Memory& memory, u64 address, u64 size_bytes, u8 value) {
  const std::vector<u8> chunk(static_cast<std::size_t>(std::min(size_bytes, Memory::page_bytes)), value);
  while (size_bytes != 0) {
    const u64 count = std::min<u64>(chunk.size(), size_bytes);
    memory.write(address, std::span(chunk).first(static_cast<std::size_t>(count)));
    address += count;
    size_bytes -= count;
  }
}

bool overlaps(const MemoryRegion& region, u64 base, u64 end) { return base < region.end() && region.base < end; }

}  // namespace

void MemoryReader::count(const Node& node, u64 bytes) {
  content_bytes_ += bytes;
  if (bytes > memory_content_limit_bytes || content_bytes_ > memory_content_limit_bytes) {
    document_.fail(node, fmt::format("the memory blocks hold more than {} MiB", memory_content_limit_bytes >> 20));
  }
}

std::vector<u8> MemoryReader::read_numbers(const Node& node, std::string_view key, u32 bytes_each) {
  const std::string what = "`" + std::string(key) + ":`";
  expect_sequence(document_, node, what);
  count(node, node.children.size() * bytes_each);
  std::vector<u8> bytes;
  bytes.reserve(node.children.size() * bytes_each);
  const ValueKinds kinds = bytes_each == 1 ? ValueKinds{} : ValueKinds{&symbols_, true};
  for (const Node* element : node.children) {
    const u64 value = read_number(document_, *element, what, bytes_each * 8, kinds);
    for (u32 i = 0; i < bytes_each; ++i) bytes.push_back(static_cast<u8>(value >> (8 * i)));
  }
  return bytes;
}

std::vector<u8> MemoryReader::read_floats(const Node& node, FloatFormat format) {
  const std::string what = fmt::format("`{}:`", float_format_name(format));
  expect_sequence(document_, node, what);
  const u32 bytes_each = float_bits(format) / 8;
  count(node, node.children.size() * bytes_each);
  std::vector<u8> bytes;
  bytes.reserve(node.children.size() * bytes_each);
  for (const Node* element : node.children) {
    if (!element->is_scalar())
      document_.fail(*element, what + ": expected a floating-point number, found " + describe(*element));
    const u64 value = read_float(document_, *element, what, format);
    for (u32 i = 0; i < bytes_each; ++i) bytes.push_back(static_cast<u8>(value >> (8 * i)));
  }
  return bytes;
}

std::vector<u8> MemoryReader::read_hex_bytes(const Node& node) {
  count(node, node.text.size() / 2);
  std::vector<u8> bytes;
  std::string_view rest = node.text;
  constexpr std::string_view white_space = " \t\r\n";
  constexpr std::string_view digits = "0123456789abcdef0123456789ABCDEF";
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(white_space), rest.size()));
    if (rest.empty()) return bytes;
    const std::size_t high = digits.find(rest[0]);
    const std::size_t low = rest.size() < 2 ? std::string_view::npos : digits.find(rest[1]);
    if (high == std::string_view::npos || low == std::string_view::npos) {
      document_.fail(node, "`bytes:` must be a text of pairs of hexadecimal digits ('dead beef') or a list of numbers");
    }
    bytes.push_back(static_cast<u8>((high & 15) << 4 | (low & 15)));
    rest.remove_prefix(2);
  }
}

std::vector<u8> MemoryReader::read_data_file(const Node& node) {
  const std::string path = resolve_path(read_text(document_, node, "`file:`"), document_.source->path);
  const std::string bytes = read_named_file(document_, node, path, file_limit_bytes, "the contents of memory", files_);
  count(node, bytes.size());
  return {bytes.begin(), bytes.end()};
}

std::vector<u8> MemoryReader::read_content(const Node& node, std::string_view key) {
  if (key == "words") return read_numbers(node, key, 4);
  if (key == "qwords") return read_numbers(node, key, 8);
  if (key == "file") return read_data_file(node);
  if (const std::optional<FloatFormat> format = find_float_format(key)) return read_floats(node, *format);
  if (key == "bytes") return node.is_scalar() ? read_hex_bytes(node) : read_numbers(node, key, 1);
  const std::string& text = read_text(document_, node, "`text:`");
  count(node, text.size());
  return {text.begin(), text.end()};
}

MemoryReader::Block MemoryReader::read_block(const Node& node) {
  const MapReader map(document_, node, "a memory block", block_keys);
  Block block;
  block.node = &node;
  block.region.base = read_unsigned(document_, map.require("at"), "`at:`", 64);
  const Node* content = nullptr;
  for (const std::string_view key : memory_content_keys) {
    const Node* found = map.find(key);
    if (found == nullptr) continue;
    if (content != nullptr)
      document_.fail(*found, "a memory block has more than one of " + name_list(memory_content_keys, "and"));
    content = found;
    block.content = read_content(*found, key);
  }
  const Node* size = map.find("size");
  if (content == nullptr && size == nullptr) {
    document_.fail(node, "a memory block needs contents (" + name_list(memory_content_keys) + ") or a `size:`");
  }
  block.region.size_bytes = size == nullptr ? block.content.size() : read_size(document_, *size, "`size:`");
  if (block.region.size_bytes == 0) document_.fail(size == nullptr ? node : *size, "the memory block is empty");
  if (block.content.size() > block.region.size_bytes) {
    document_.fail(*content, fmt::format("the contents of {} bytes are larger than `size:` ({})", block.content.size(),
                                         block.region.size_bytes));
  }
  if (const Node* fill_node = map.find("fill")) {
    block.fill = static_cast<u8>(read_number(document_, *fill_node, "`fill:`", 8));
    if (block.fill != 0) count(*fill_node, block.region.size_bytes - block.content.size());
  }
  if ((block.access_node = map.find("access")) != nullptr) {
    const std::string& access = read_text(document_, *block.access_node, "`access:`");
    if (access != "r" && access != "rw") document_.fail(*block.access_node, "`access:` must be `r` or `rw`");
    block.region.access = access == "r" ? Access::read : Access::read_write;
  }
  const bool is_shared = block.region.base >= shared_memory_base;
  const u64 space = is_shared ? Memory::end_address : u64{1} << address_bits(program_.generation());
  if (block.region.base >= space || block.region.size_bytes > space - block.region.base) {
    document_.fail(node, fmt::format("the memory block does not fit in the address space of {} bits",
                                     address_bits(program_.generation())));
  }
  return block;
}

void MemoryReader::fill(const Block& block, Memory& memory) {
  memory.write(block.region.base, block.content);
  const u64 left = block.region.size_bytes - block.content.size();
  if (block.fill != 0) write_repeated(memory, block.region.base + block.content.size(), left, block.fill);
}

void MemoryReader::add(const Block& block, Memory& memory) const {
  const MemoryRegion& region = block.region;
  const std::string own = "the memory at " + range_text(region.base, region.end());
  for (const CodeBlock& code : program_.code) {
    if (overlaps(region, code.base, code.end())) {
      document_.fail(*block.node, own + " overlaps the code at " + range_text(code.base, code.end()));
    }
  }
  if (!memory.add_region(region)) {
    for (const MemoryRegion& other : memory.regions()) {
      if (!overlaps(region, other.base, other.end())) continue;
      document_.fail(*block.node, own + " overlaps the memory at " + range_text(other.base, other.end()));
    }
    document_.fail(*block.node, own + " cannot be added");
  }
  fill(block, memory);
}

void MemoryReader::read_regions(const Node& node, Memory& memory) {
  expect_sequence(document_, node, "`memory:`");
  if (node.children.size() > most_memory_blocks)
    document_.fail(node, fmt::format("more than {} memory blocks", most_memory_blocks));
  for (const Node* child : node.children) add(read_block(*child), memory);
}

void MemoryReader::read_over(const Node& node, Memory& memory) {
  expect_sequence(document_, node, "`memory:`");
  if (node.children.size() > most_memory_blocks)
    document_.fail(node, fmt::format("more than {} memory blocks", most_memory_blocks));
  const Memory before = memory;
  for (const Node* child : node.children) {
    const Block block = read_block(*child);
    const MemoryRegion& region = block.region;
    if (!before.is_mapped(region.base, region.size_bytes)) {
      add(block, memory);
      continue;
    }
    if (block.access_node != nullptr && before.find_region(region.base)->access != region.access) {
      document_.fail(*block.access_node, "`access:` differs from that in the scenario");
    }
    memory.clear(region.base, region.size_bytes);
    fill(block, memory);
  }
}

std::vector<MemoryExpectation> MemoryReader::read_expectations(const Node& node, const Memory& memory) {
  expect_sequence(document_, node, "`memory:`");
  std::vector<MemoryExpectation> expectations;
  for (const Node* child : node.children) {
    const MapReader map(document_, *child, "expected memory", expected_memory_keys);
    const Node& at = map.require("at");
    MemoryExpectation expectation;
    expectation.address = read_unsigned(document_, at, "`at:`", 64);
    expectation.where = document_.source->place(*child);
    const Node* content = nullptr;
    for (const std::string_view key : memory_content_keys) {
      const Node* found = map.find(key);
      if (found == nullptr) continue;
      if (content != nullptr)
        document_.fail(*found, "expected memory has more than one of " + name_list(memory_content_keys, "and"));
      content = found;
      expectation.bytes = read_content(*found, key);
      if (const auto format = find_float_format(key)) expectation.floats = FloatComparison{*format, 0};
    }
    if (const Node* const ulps = map.find("ulps")) {
      if (!expectation.floats) document_.fail(*ulps, "`ulps:` needs `f16:`, `f32:` or `f64:`");
      expectation.floats->ulps = read_unsigned(document_, *ulps, "`ulps:`", 63);
    }
    if (content == nullptr)
      document_.fail(*child, "expected memory needs contents (" + name_list(memory_content_keys) + ")");
    if (expectation.bytes.empty()) document_.fail(*content, "expected memory is empty");
    if (!memory.is_mapped(expectation.address, expectation.bytes.size())) {
      u64 missing = expectation.address;
      while (memory.is_mapped(missing, 1)) missing = memory.find_region(missing)->end();
      document_.fail(at, fmt::format("{} of the expected memory at {} is not mapped: add it to `memory:`", hex(missing),
                                     hex(expectation.address)));
    }
    expectations.push_back(std::move(expectation));
  }
  return expectations;
}

}  // namespace salu::loader
