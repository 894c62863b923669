#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

// Memory operators for a program in which some allocations fail. One source file of the program includes this header.

namespace salu::test {

/// Decides whether the current allocation of `size` bytes fails. Defined in that source file.
bool allocation_fails(std::size_t size);

inline void* allocate(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
  if (allocation_fails(size)) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

inline void* allocate_or_throw(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
  void* const memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace salu::test

void* operator new(std::size_t size) { return salu::test::allocate_or_throw(size); }
void* operator new[](std::size_t size) { return salu::test::allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return salu::test::allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return salu::test::allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return salu::test::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return salu::test::allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
