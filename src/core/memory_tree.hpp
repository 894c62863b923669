#pragma once

#include <salu/integer.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>

/// Pages by number in a tree whose nodes are shared between copies: a copy costs a pointer, and writing a page in one
/// copy costs that page and the nodes above it.
namespace salu::core {

inline constexpr u32 page_bits = 12;
using Page = std::array<u8, std::size_t{1} << page_bits>;

/// Makes a node or page exclusive to a tree that is about to write below it: creates it, or copies a shared one.
template <class T>
T& make_own(std::shared_ptr<T>& pointer) {
  if (!pointer) {
    pointer = std::make_shared<T>();
  } else if (pointer.use_count() != 1) {
    pointer = std::make_shared<T>(*pointer);
  } else {
    // The owner of the last other share may have read through it until it gave it up.
    std::atomic_thread_fence(std::memory_order_acquire);
  }
  return *pointer;
}

/// A node with 64 children; those of level 0 are pages, so a tree of level n holds 64^(n + 1) of them.
template <u32 level>
struct MemoryNode {
  using Child = std::conditional_t<level == 0, Page, MemoryNode<level == 0 ? 0 : level - 1>>;
  static constexpr u32 shift = 6 * level;
  static constexpr std::size_t fan_out = 64;

  std::array<std::shared_ptr<Child>, fan_out> children;

  static constexpr std::size_t slot(u64 page) { return page >> shift & (fan_out - 1); }

  /// The page with a number, or null.
  [[nodiscard]] const Page* find(u64 page) const {
    const Child* child = children[slot(page)].get();
    if constexpr (level == 0) {
      return child;
    } else {
      return child == nullptr ? nullptr : child->find(page);
    }
  }

  /// The page with a number, for writing: created if it does not exist, copied if it is shared.
  Page& own(u64 page) {
    Child& child = make_own(children[slot(page)]);
    if constexpr (level == 0) {
      return child;
    } else {
      return child.own(page);
    }
  }

  /// Calls `visit(number, page)` for every page in ascending order.
  template <class Visit>
  void visit(const Visit& visit_page, u64 prefix = 0) const {
    for (std::size_t i = 0; i < fan_out; ++i) {
      if (!children[i]) continue;
      const u64 number = prefix | u64{i} << shift;
      if constexpr (level == 0) {
        visit_page(number, *children[i]);
      } else {
        children[i]->visit(visit_page, number);
      }
    }
  }

  /// Calls `visit(number, left page or null, right page or null)` for every page that the trees do not share.
  template <class Visit>
  static void visit_unshared(const MemoryNode* left, const MemoryNode* right, const Visit& visit_pages,
                             u64 prefix = 0) {
    for (std::size_t i = 0; i < fan_out; ++i) {
      const Child* const a = left == nullptr ? nullptr : left->children[i].get();
      const Child* const b = right == nullptr ? nullptr : right->children[i].get();
      if (a == b) continue;
      const u64 number = prefix | u64{i} << shift;
      if constexpr (level == 0) {
        visit_pages(number, a, b);
      } else {
        Child::visit_unshared(a, b, visit_pages, number);
      }
    }
  }

  /// Number of pages.
  [[nodiscard]] u64 count() const {
    u64 pages = 0;
    for (const auto& child : children) {
      if (!child) continue;
      if constexpr (level == 0) {
        ++pages;
      } else {
        pages += child->count();
      }
    }
    return pages;
  }

  /// Drops the pages from `first` to `end` - 1 and returns true if any pages are left. `dropped` grows by their number.
  bool drop(u64 first, u64 end, u64& dropped, u64 prefix = 0) {
    bool left = false;
    for (std::size_t i = 0; i < fan_out; ++i) {
      if (!children[i]) continue;
      const u64 number = prefix | u64{i} << shift;
      const u64 number_end = number + (u64{1} << shift);
      if (number >= first && number_end <= end) {
        if constexpr (level == 0) {
          ++dropped;
        } else {
          dropped += children[i]->count();
        }
        children[i].reset();
        continue;
      }
      bool child_left = true;
      if constexpr (level != 0) {
        if (number < end && first < number_end) child_left = make_own(children[i]).drop(first, end, dropped, number);
      }
      if (!child_left) children[i].reset();
      left |= child_left;
    }
    return left;
  }
};

/// Page numbers have 36 bits, for addresses of 48 bits.
using MemoryTree = MemoryNode<5>;

}  // namespace salu::core
