#pragma once

#include <array>

#include "isa/semantics/atomics.hpp"
#include "isa/semantics/words.hpp"

namespace salu::isa {

namespace semantics {
#include "isa/semantics/scalar_memory.inc"
}  // namespace semantics

/// The operation of a scalar memory instruction; the last column of its row.
struct MemoryOperation {
  enum class Kind : u8 {
    load,
    store,
    atomic,
    cache_control,  ///< no effect that a program can observe
    memtime,        ///< reads the core clock
    memrealtime,    ///< reads the constant-rate clock
  };

  Kind kind{};
  bool scratch = false;   ///< the offset register counts units of 64 bytes
  bool compares = false;  ///< SDATA is {new value, compare value}
  AtomicOperation atomic = AtomicOperation::none;
  bool writes_back = false;  ///< the scalar data cache writes all stored data to memory
};

/// The names in that column.
namespace memory_operations {
inline constexpr MemoryOperation load{MemoryOperation::Kind::load};
inline constexpr MemoryOperation store{MemoryOperation::Kind::store};
inline constexpr MemoryOperation scratch_load{MemoryOperation::Kind::load, true};
inline constexpr MemoryOperation scratch_store{MemoryOperation::Kind::store, true};
inline constexpr MemoryOperation cache_control{MemoryOperation::Kind::cache_control};
inline constexpr MemoryOperation cache_write_back{
    .kind = MemoryOperation::Kind::cache_control, .atomic = AtomicOperation::none, .writes_back = true};
inline constexpr MemoryOperation memtime{MemoryOperation::Kind::memtime};
inline constexpr MemoryOperation memrealtime{MemoryOperation::Kind::memrealtime};

#define SALU_ATOMIC(name, operands, commutes) \
  inline constexpr MemoryOperation name{MemoryOperation::Kind::atomic, false, operands == 2, AtomicOperation::name};
#include "isa/semantics/atomics.def"
#undef SALU_ATOMIC
}  // namespace memory_operations

}  // namespace salu::isa
