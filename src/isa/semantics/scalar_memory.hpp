#pragma once

#include <array>

#include "isa/semantics/words.hpp"

namespace salu::isa {

namespace semantics {
#include "isa/semantics/scalar_memory.inc"
}  // namespace semantics

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
