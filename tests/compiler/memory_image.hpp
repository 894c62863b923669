#pragma once

#include <salu/memory.hpp>

#include <memory>
#include <string_view>
#include <vector>

/// The memory that functions of memory_ir/ read.
namespace salu::compiler_test {

/// Random and edge data, which the name of a pointer argument chooses from:
///   table   dwords, 4096 bytes before and after the pointer, and around all powers of two up to 1 MiB away from it
///   sorted  256 ascending dwords
///   rows    16 pointers to rows of 16 dwords each
///   list    the first of some nodes {next, value, weight}
///   tree    the root of a binary search tree of nodes {left, right, key, value}
///   text    bytes up to one that is zero
/// It exists twice: in this process, where its pointers are addresses of this process, and in a salu::Memory at any
/// address, where they are addresses in that memory. Everything else is the same.
class MemoryImage {
 public:
  static constexpr u64 size_bytes = 0x400000;
  static constexpr u64 table_offset = size_bytes / 2;
  /// Bytes after the table's pointer that are filled without a gap.
  static constexpr u64 table_bytes = 4096;

  explicit MemoryImage(u64 seed);

  /// The offset of the data for a pointer argument of this name, in bytes from the start. Throws for an unknown name.
  [[nodiscard]] u64 offset_of(std::string_view name) const;
  /// The address of this process's copy.
  [[nodiscard]] u64 native_base() const { return reinterpret_cast<u64>(bytes_); }
  /// Adds the image at an address. Returns false if the range is in use.
  [[nodiscard]] bool put_into(Memory& memory, u64 base) const;

 private:
  struct Window {
    u64 offset;
    u64 size_bytes;
  };
  /// A pointer in the image.
  struct Link {
    u64 offset;
    u64 target;
  };
  struct Free {
    void operator()(u8* bytes) const;
  };

  void write_dword(u64 offset, u32 value);
  void write_link(u64 offset, u64 target);

  std::unique_ptr<u8, Free> allocation_;  // untouched zeros do not use memory
  u8* bytes_ = nullptr;                   // aligned in it
  std::vector<Window> windows_;           // all nonzero parts
  std::vector<Link> links_;
  u64 list_ = 0;
  u64 tree_ = 0;
};

/// True if two memories differ only in the private memory of a wave.
bool differs_in_scratch_alone(const Memory& left, const Memory& right);

}  // namespace salu::compiler_test
