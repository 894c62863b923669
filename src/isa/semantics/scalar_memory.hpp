#pragma once

#include <salu/integer.hpp>

#include <array>
#include <type_traits>

/// Scalar memory (semantics.md 9): addresses, bounds of buffers, and what an atomic does with the old value. All of it
/// is values in, values out; reading and writing memory is the machine's part.
namespace salu::isa::semantics {

/// The offset of an access as the fields of the instruction give it.
struct MemoryOffset {
  i64 immediate = 0;        ///< bytes
  u32 offset_register = 0;  ///< value of the register, bytes (SCRATCH: units of 64); 0 without one
  bool has_register = false;
};

/// The dword at or below a byte address: every part of an address drops its two low bits.
constexpr u64 dword_aligned(u64 address) { return address & ~u64{3}; }

/// Offset in bytes of S_LOAD, S_STORE, S_ATOMIC and their buffer forms.
constexpr i64 byte_offset(const MemoryOffset& offset) {
  return static_cast<i64>(dword_aligned(static_cast<u64>(offset.immediate)) + dword_aligned(offset.offset_register));
}
/// Offset in bytes of S_SCRATCH: the register counts units of 64 bytes.
constexpr i64 scratch_offset(const MemoryOffset& offset) {
  return static_cast<i64>(dword_aligned(static_cast<u64>(offset.immediate)) + u64{offset.offset_register} * 64);
}

/// What a buffer descriptor says as far as scalar memory looks at it.
struct Buffer {
  u64 base = 0;        ///< byte address, 48 bits
  u64 size_bytes = 0;  ///< what lies beyond it reads as zero and is not written
};

constexpr Buffer buffer(const std::array<u32, 4>& descriptor) {
  const u32 stride = descriptor[1] >> 16 & 0x3fff;
  const u32 records = descriptor[2];
  return {descriptor[0] | u64{descriptor[1] & 0xffff} << 32, u64{stride == 0 ? 1 : stride} * records};
}

/// How many of `dwords` dwords from a byte offset on are in the buffer. One that straddles the end is.
constexpr u32 dwords_in_buffer(const Buffer& buffer, u64 offset, u32 dwords) {
  if (offset >= buffer.size_bytes) return 0;
  const u64 count = (buffer.size_bytes - offset + 3) / 4;
  return count < dwords ? static_cast<u32>(count) : dwords;
}

// ---- atomics: the new value from the old one and SDATA ----

template <class T>
constexpr T atomic_swap(T, T data, T) {
  return data;
}
/// SDATA holds the new value in its first half, the value to compare with in its second.
template <class T>
constexpr T atomic_cmpswap(T old, T data, T compare) {
  return old == compare ? data : old;
}
template <class T>
constexpr T atomic_add(T old, T data, T) {
  return old + data;
}
template <class T>
constexpr T atomic_sub(T old, T data, T) {
  return old - data;
}
template <class T>
constexpr T atomic_smin(T old, T data, T) {
  using Signed = std::make_signed_t<T>;
  return static_cast<Signed>(data) < static_cast<Signed>(old) ? data : old;
}
template <class T>
constexpr T atomic_umin(T old, T data, T) {
  return data < old ? data : old;
}
template <class T>
constexpr T atomic_smax(T old, T data, T) {
  using Signed = std::make_signed_t<T>;
  return static_cast<Signed>(data) > static_cast<Signed>(old) ? data : old;
}
template <class T>
constexpr T atomic_umax(T old, T data, T) {
  return data > old ? data : old;
}
template <class T>
constexpr T atomic_and(T old, T data, T) {
  return old & data;
}
template <class T>
constexpr T atomic_or(T old, T data, T) {
  return old | data;
}
template <class T>
constexpr T atomic_xor(T old, T data, T) {
  return old ^ data;
}
template <class T>
constexpr T atomic_inc(T old, T data, T) {
  return old >= data ? 0 : old + 1;
}
template <class T>
constexpr T atomic_dec(T old, T data, T) {
  return old == 0 || old > data ? data : old - 1;
}

}  // namespace salu::isa::semantics

namespace salu::isa {

/// What a scalar memory instruction does; the last column of its row.
struct MemoryOperation {
  enum class Kind : u8 {
    load,
    store,
    atomic,
    cache_control,  ///< nothing that a program could see
    memtime,        ///< reads the core clock
    memrealtime,    ///< reads the constant-rate clock
  };
  template <class T>
  using Atomic = T (*)(T old, T data, T compare);

  Kind kind{};
  bool scratch = false;   ///< the offset register counts units of 64 bytes
  bool compares = false;  ///< SDATA is {new value, compare value}
  Atomic<u32> atomic32 = nullptr;
  Atomic<u64> atomic64 = nullptr;
  bool writes_back = false;  ///< all that was stored leaves the scalar data cache for memory
};

/// The vocabulary of that column.
namespace memory_operations {
inline constexpr MemoryOperation load{MemoryOperation::Kind::load};
inline constexpr MemoryOperation store{MemoryOperation::Kind::store};
inline constexpr MemoryOperation scratch_load{MemoryOperation::Kind::load, true};
inline constexpr MemoryOperation scratch_store{MemoryOperation::Kind::store, true};
inline constexpr MemoryOperation cache_control{MemoryOperation::Kind::cache_control};
inline constexpr MemoryOperation cache_write_back{
    .kind = MemoryOperation::Kind::cache_control, .atomic32 = nullptr, .atomic64 = nullptr, .writes_back = true};
inline constexpr MemoryOperation memtime{MemoryOperation::Kind::memtime};
inline constexpr MemoryOperation memrealtime{MemoryOperation::Kind::memrealtime};

constexpr MemoryOperation atomic(MemoryOperation::Atomic<u32> f32, MemoryOperation::Atomic<u64> f64) {
  return {MemoryOperation::Kind::atomic, false, false, f32, f64};
}
inline constexpr MemoryOperation atomic_swap = atomic(semantics::atomic_swap, semantics::atomic_swap);
inline constexpr MemoryOperation atomic_cmpswap = {MemoryOperation::Kind::atomic, false, true,
                                                   semantics::atomic_cmpswap, semantics::atomic_cmpswap};
inline constexpr MemoryOperation atomic_add = atomic(semantics::atomic_add, semantics::atomic_add);
inline constexpr MemoryOperation atomic_sub = atomic(semantics::atomic_sub, semantics::atomic_sub);
inline constexpr MemoryOperation atomic_smin = atomic(semantics::atomic_smin, semantics::atomic_smin);
inline constexpr MemoryOperation atomic_umin = atomic(semantics::atomic_umin, semantics::atomic_umin);
inline constexpr MemoryOperation atomic_smax = atomic(semantics::atomic_smax, semantics::atomic_smax);
inline constexpr MemoryOperation atomic_umax = atomic(semantics::atomic_umax, semantics::atomic_umax);
inline constexpr MemoryOperation atomic_and = atomic(semantics::atomic_and, semantics::atomic_and);
inline constexpr MemoryOperation atomic_or = atomic(semantics::atomic_or, semantics::atomic_or);
inline constexpr MemoryOperation atomic_xor = atomic(semantics::atomic_xor, semantics::atomic_xor);
inline constexpr MemoryOperation atomic_inc = atomic(semantics::atomic_inc, semantics::atomic_inc);
inline constexpr MemoryOperation atomic_dec = atomic(semantics::atomic_dec, semantics::atomic_dec);
}  // namespace memory_operations

}  // namespace salu::isa
