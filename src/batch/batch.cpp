#include "batch/batch.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace salu::batch {
namespace {

constexpr u32 all_ones = ~0U;
constexpr std::size_t dwords_of_longest_load = 16;
/// Rows in addition to those of the plan: at, mask, taken, leaves, steps.
constexpr std::size_t own_rows = 5;
/// Limit for the size of all rows, so that they fit in the first-level cache.
constexpr std::size_t most_row_bytes = 40 << 10;
constexpr std::size_t least_width = 128;
constexpr std::size_t most_width = 1024;
/// Dwords of padding after each row. Rows at distances of a power of two conflict: a load looks as if it depended on a
/// recent store to another row.
constexpr std::size_t padding = 32;

std::size_t width_for(std::size_t rows) {
  constexpr std::size_t granularity = 64;
  const std::size_t fitting = most_row_bytes / (rows * sizeof(u32)) / granularity * granularity;
  return std::clamp(fitting, least_width, most_width);
}

}  // namespace

Batch::Batch(const Plan& plan, const RowLoopTable& loops, const Memory& memory)
    : plan_(plan),
      loops_(loops),
      width_(width_for(plan.rows + own_rows)),
      stride_(width_ + padding),
      rows_(new(row_alignment) u32[(plan.rows + own_rows) * stride_]{}),
      at_(row(static_cast<Row>(plan.rows))),
      mask_(at_ + stride_),
      taken_(mask_ + stride_),
      leaves_(taken_ + stride_),
      steps_(leaves_ + stride_),
      state_(width_) {
  port_.set_memory(memory);
  for (const Plan::Value& value : plan.constants) std::fill_n(row(value.row), width_, value.value);
  for (const RowBlock& block : plan.blocks) {
    may_leave_ = may_leave_ || block.may_leave;
    BoundBlock& bound = blocks_.emplace_back();
    for (const RowOp& op : block.ops) bound.ops.push_back(bind(op));
    if (block.exit == RowBlock::Exit::branch) bound.test = bind(block.test);
    bound.test.operands.sdst[0] = taken_;
  }
}

Batch::Bound Batch::bind(const RowOp& op) const {
  Bound bound;
  if (op.kind == RowOp::Kind::load) {
    bound.load = &op;
    return bound;
  }
  const auto pointer = [this](Row number) { return number == no_row ? nullptr : row(number); };
  Operands& operands = bound.operands;
  for (std::size_t half = 0; half < 2; ++half) {
    operands.ssrc0[half] = pointer(op.ssrc0[half]);
    operands.ssrc1[half] = pointer(op.ssrc1[half]);
    operands.sdst[half] = pointer(op.sdst[half]);
    operands.exec[half] = row(plan_.exec[half]);
    operands.vcc[half] = row(plan_.vcc[half]);
  }
  operands.scc = row(plan_.scc);
  operands.mask = mask_;
  operands.leaves = leaves_;
  operands.uniform_ssrc1 = op.uniform_ssrc1;
  operands.next = op.next;
  operands.simm16 = op.simm16;
  const RowLoops& loops = loops_.loops[static_cast<std::size_t>(op.insn)];
  const auto& variants = loops.of[op.has_uniform_ssrc1 ? 1 : 0][op.writes_scc ? 1 : 0];
  bound.plain = variants[0];
  bound.masked = variants[op.is_masked ? 1 : 0];
  return bound;
}

void Batch::run(const Chunk& chunk, u64 max_steps) {
  chunk_ = &chunk;
  // Steps are counted in 32 bits.
  max_steps_ = std::min<u64>(max_steps, u64{1} << 31);
  next_state_ = 0;
  ended_ = {};
  while (next_state_ < chunk.states) {
    begin_next();
    run_all();
  }
}

// ---- begin and end of states ----

/// Fills the slots with the next states.
void Batch::begin_next() {
  const std::size_t first = next_state_;
  active_ = std::min(width_, chunk_->states - first);
  next_state_ += active_;
  for (const Plan::Value& value : plan_.initial) std::fill_n(row(value.row), active_, value.value);
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
    std::copy_n(chunk_->inputs[i] + first, active_, row(plan_.inputs[i]));
  }
  if (may_leave_) std::fill_n(leaves_, active_, 0);
  first_state_ = first;
  spent_ = 0;
  uncounted_ = 0;
  over_ = 0;
  in_sequence_ = true;
  together_ = true;
  block_ = plan_.entry;
}

/// Puts the next state into a slot.
void Batch::begin(std::size_t slot) {
  const std::size_t state = next_state_++;
  for (const Plan::Value& value : plan_.initial) row(value.row)[slot] = value.value;
  for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
    row(plan_.inputs[i])[slot] = chunk_->inputs[i][state];
  }
  leaves_[slot] = 0;
  steps_[slot] = 0;
  at_[slot] = plan_.entry;
  least_ = std::min(least_, plan_.entry);
  state_[slot] = static_cast<u32>(state);
}

/// Stores the results of a slot's state.
void Batch::deliver(std::size_t slot) {
  const std::size_t state = state_[slot];
  for (std::size_t i = 0; i < plan_.results.size(); ++i) chunk_->results[i][state] = row(plan_.results[i])[slot];
  if (chunk_->steps != nullptr) chunk_->steps[state] = steps_[slot];
  const u32 ending = at_[slot] - number_of(Ending::left);
  chunk_->endings[state] = static_cast<Ending>(ending);
  ++ended_[ending];
}

/// Stores the results of all states, which ran together from start to end.
void Batch::deliver_together(Ending ending) {
  for (std::size_t i = 0; i < plan_.results.size(); ++i)
    std::copy_n(row(plan_.results[i]), active_, chunk_->results[i] + first_state_);
  if (chunk_->steps != nullptr) std::fill_n(chunk_->steps + first_state_, active_, uncounted_);
  std::fill_n(chunk_->endings + first_state_, active_, ending);
  ended_[static_cast<std::size_t>(ending)] += active_;
}

/// Gives the slots of finished states to new ones.
void Batch::refill() {
  for (std::size_t slot = 0; slot < active_ && next_state_ < chunk_->states; ++slot) {
    if (!is_over(slot)) continue;
    deliver(slot);
    begin(slot);
    --over_;
  }
}

/// Compacts the unfinished states.
void Batch::shrink() {
  std::size_t kept = 0;
  for (std::size_t slot = 0; slot < active_; ++slot) {
    if (is_over(slot)) {
      deliver(slot);
      continue;
    }
    for (u32 number = 0; number < plan_.rows; ++number) {
      u32* const values = row(static_cast<Row>(number));
      values[kept] = values[slot];
    }
    at_[kept] = at_[slot];
    leaves_[kept] = leaves_[slot];
    steps_[kept] = steps_[slot];
    state_[kept] = state_[slot];
    ++kept;
  }
  active_ = kept;
  over_ = 0;
}

// ---- blocks ----

void Batch::run_all() {
  constexpr std::size_t not_worth_shrinking = 32;
  while (true) {
    bool is_counted = false;
    if (!together_) {
      if (over_ == active_) break;
      const bool has_more = next_state_ < chunk_->states;
      if (has_more && over_ * 4 > active_) refill();
      if (!has_more && over_ * 2 > active_ && active_ > not_worth_shrinking) shrink();
      block_ = least_;
      const u32 instructions = plan_.blocks[block_].instructions;
      together_ = loops_.select(at_, block_, mask_, steps_, instructions, active_) == active_;
      is_counted = true;
    }
    const RowBlock& block = plan_.blocks[block_];
    Ending ending = Ending::left;
    if (block.exit != RowBlock::Exit::leave) {
      if (!is_new_.empty() && is_new_[block_]) leave_one();
      spent_ += block.instructions;
      if (spent_ > max_steps_) leave_at_limit(is_counted ? 0 : block.instructions);
      if (!is_counted) count(block.instructions);
      execute(block_);
      if (block.may_leave) leave_marked();
      if (block.exit == RowBlock::Exit::branch) {
        branch(block_);
        continue;
      }
      if (block.exit == RowBlock::Exit::jump) {
        go_to(block.next);
        continue;
      }
      ending = block.reason == StopReason::returned ? Ending::returned : Ending::end_program;
    }
    if (together_ && in_sequence_) {
      deliver_together(ending);
      return;
    }
    end(ending);
  }
  for (std::size_t slot = 0; slot < active_; ++slot) deliver(slot);
}

void Batch::execute(u32 number) {
  for (const Bound& op : blocks_[number].ops) {
    if (op.load != nullptr) {
      load(*op.load);
    } else {
      (together_ ? op.plain : op.masked)(op.operands, active_);
    }
  }
}

void Batch::load(const RowOp& op) {
  const auto dwords = static_cast<u32>(op.loaded.size());
  for (std::size_t slot = 0; slot < active_; ++slot) {
    if (!together_ && mask_[slot] == 0) continue;
    std::array<u32, 4> base{};
    for (std::size_t i = 0; i < op.base.size(); ++i) base[i] = row(op.base[i])[slot];
    const isa::semantics::Extent extent =
        extent_of_load(base, op.base.size(), op.offset_bytes, row(op.ssrc1[0])[slot], dwords);
    std::array<u32, dwords_of_longest_load> values{};
    if (!read(extent.address & plan_.address_mask, std::span(values).first(extent.dwords))) {
      leaves_[slot] = 1;
      continue;
    }
    for (std::size_t i = 0; i < dwords; ++i) row(op.loaded[i])[slot] = values[i];
  }
}

/// Reads memory that is the same in all states; returns false if it is not mapped.
bool Batch::read(u64 address, std::span<u32> values) {
  const auto varied = std::ranges::lower_bound(plan_.varied_memory, address);
  if (varied != plan_.varied_memory.end() && *varied < address + values.size_bytes()) return false;
  if (const u8* const bytes = port_.reading(address, static_cast<u32>(values.size_bytes()))) {
    std::memcpy(values.data(), bytes, values.size_bytes());
    return true;
  }
  // A page can be partly mapped, for example by a small table.
  const Memory& memory = port_.memory();
  if (!values.empty() && !memory.is_mapped(address, values.size_bytes())) return false;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = memory.read_dword(address + i * 4);
  return true;
}

/// Counts the instructions of a block for all states that execute it.
void Batch::count(u32 instructions) {
  if (together_) {
    uncounted_ += instructions;
  } else {
    loops_.add(steps_, mask_, instructions, active_);
  }
}

/// From here on, the states may be at different blocks.
void Batch::spread() {
  if (!together_) return;
  together_ = false;
  std::fill_n(at_, active_, block_);
  std::fill_n(mask_, active_, all_ones);
  if (in_sequence_) {
    std::iota(state_.begin(), state_.begin() + static_cast<std::ptrdiff_t>(active_), static_cast<u32>(first_state_));
    std::fill_n(steps_, active_, 0);
    in_sequence_ = false;
  }
  for (std::size_t slot = 0; slot < active_; ++slot) steps_[slot] += uncounted_;
  uncounted_ = 0;
}

/// States that an operation of the block has marked leave.
void Batch::leave_marked() {
  if (loops_.count_set(leaves_, active_) == 0) return;
  spread();
  for (std::size_t slot = 0; slot < active_; ++slot) {
    if (leaves_[slot] == 0 || mask_[slot] == 0) continue;
    at_[slot] = number_of(Ending::left);
    mask_[slot] = 0;
    leaves_[slot] = 0;
    ++over_;
  }
}

/// Called before a block is executed for the first time.
void Batch::leave_one() {
  is_new_[block_] = false;
  spread();
  const auto slot = static_cast<std::size_t>(std::find(mask_, mask_ + active_, all_ones) - mask_);
  at_[slot] = number_of(Ending::left);
  mask_[slot] = 0;
  ++over_;
}

/// Called before a block is executed that has `instructions` uncounted instructions: states that may not execute all of
/// them leave.
void Batch::leave_at_limit(u32 instructions) {
  spread();
  u64 most = 0;
  for (std::size_t slot = 0; slot < active_; ++slot) {
    if (is_over(slot)) continue;
    const u64 steps = u64{steps_[slot]} + (mask_[slot] != 0 ? instructions : 0);
    if (steps <= max_steps_) {
      most = std::max(most, steps);
      continue;
    }
    at_[slot] = number_of(Ending::left);
    mask_[slot] = 0;
    ++over_;
  }
  spent_ = most;
}

/// All states that have executed the block continue at another one.
void Batch::go_to(u32 number) {
  if (together_) {
    block_ = number;
    return;
  }
  least_ = loops_.choose(at_, mask_, mask_, number, number, active_);
}

/// Ends the runs of all states that have executed the block.
void Batch::end(Ending ending) {
  spread();
  over_ += loops_.count_set(mask_, active_);
  go_to(number_of(ending));
}

void Batch::branch(u32 number) {
  const RowBlock& block = plan_.blocks[number];
  const Bound& test = blocks_[number].test;
  test.plain(test.operands, active_);
  if (together_) {
    const u32 taken = loops_.count_set(taken_, active_);
    if (taken == 0 || taken == active_) {
      block_ = taken == 0 ? block.next : block.taken;
      return;
    }
    spread();
  }
  least_ = loops_.choose(at_, mask_, taken_, block.taken, block.next, active_);
}

}  // namespace salu::batch
