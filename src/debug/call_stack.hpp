#pragma once

#include <salu/integer.hpp>

#include <memory>
#include <utility>

namespace salu::debug {

/// A call that has not returned yet.
struct CallFrame {
  u64 call_pc = 0;         ///< of S_SWAPPC_B64 or S_CALL_B64
  u64 return_address = 0;  ///< of the next instruction
  u64 position = 0;        ///< instructions executed before the call
  std::size_t depth = 1;   ///< frames from the outermost one to this one
  u64 returns = 0;         ///< bits of the return addresses of this call and of those around it (`return_bit`)
  std::shared_ptr<const CallFrame> outer;
};

/// The calls that have not returned yet, innermost first. A copy costs a pointer.
class CallStack {
 public:
  CallStack() = default;
  CallStack(const CallStack&) = default;
  CallStack(CallStack&&) = default;
  CallStack& operator=(const CallStack& other) {
    if (this != &other) *this = CallStack(other);
    return *this;
  }
  CallStack& operator=(CallStack&& other) noexcept {
    std::swap(top_, other.top_);
    return *this;
  }
  /// Releases unshared frames in a loop: recursive destructors would be as deep as the calls.
  ~CallStack() {
    while (top_ != nullptr && top_.use_count() == 1) {
      std::shared_ptr<const CallFrame> outer = top_->outer;
      top_ = std::move(outer);
    }
  }

  [[nodiscard]] const CallFrame* top() const { return top_.get(); }
  [[nodiscard]] std::size_t depth() const { return top_ == nullptr ? 0 : top_->depth; }

  void push(u64 call_pc, u64 return_address, u64 position) {
    const u64 returns = (top_ == nullptr ? 0 : top_->returns) | return_bit(return_address);
    top_ = std::make_shared<const CallFrame>(
        CallFrame{call_pc, return_address, position, depth() + 1, returns, std::move(top_)});
  }
  /// Ends the innermost call that returns to an address, and the calls within it. Does nothing if no call matches, or
  /// if more than `most_unwound` calls would end at once.
  void return_to(u64 address) {
    constexpr std::size_t most_unwound = 1024;
    const CallFrame* frame = top();
    for (std::size_t i = 0; frame != nullptr && frame->return_address != address; ++i) {
      if (i == most_unwound || (frame->returns & return_bit(address)) == 0) return;
      frame = frame->outer.get();
    }
    if (frame == nullptr) return;
    while (top_.get() != frame) pop();
    pop();
  }

 private:
  /// One of 64 bits for an address. If it is not set, no call returns there.
  static constexpr u64 return_bit(u64 address) { return u64{1} << (address * 0x9e3779b97f4a7c15 >> 58); }

  void pop() {
    std::shared_ptr<const CallFrame> outer = top_->outer;
    top_ = std::move(outer);
  }

  std::shared_ptr<const CallFrame> top_;
};

}  // namespace salu::debug
