#include "core/code_cache.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "support/per_thread.hpp"
#include "support/printable.hpp"

namespace salu::core {
namespace {

/// True if memory contains these words at an address.
bool holds(const Memory& memory, u64 address, std::span<const u32> words) {
  const auto* bytes = reinterpret_cast<const u8*>(words.data());
  for (u64 left = words.size() * sizeof(u32); left != 0;) {
    const u64 offset = address % Memory::page_bytes;
    const u64 count = std::min(left, Memory::page_bytes - offset);
    if (std::memcmp(memory.page_for_reading(address - offset) + offset, bytes, count) != 0) return false;
    address += count;
    bytes += count;
    left -= count;
  }
  return true;
}

/// Undecoded micro-ops for the next machine of a thread: initialising one for each dword of a long object takes longer
/// than a short run.
struct SpareOps {
  std::vector<MicroOp> ops;

  /// Returns `count` copies of `undecoded`, or more.
  static std::vector<MicroOp> take(std::size_t count, const MicroOp& undecoded) {
    std::vector<MicroOp> ops;
    ops.swap(support::PerThread<SpareOps>::get().ops);
    const bool is_of_other_loop = !ops.empty() && ops.front().handler != undecoded.handler;
    if (is_of_other_loop || ops.size() < count) {
      // Exactly the length of the program, so that each op is written only once.
      ops.clear();
      ops.reserve(count);
      ops.assign(count, undecoded);
    }
    return ops;
  }
  /// Keeps ops that are undecoded again; a machine can end on another thread than it began on.
  static void give_back(std::vector<MicroOp>& ops) noexcept {
    constexpr std::size_t most_kept = std::size_t{1} << 18;  // 6 MiB
    SpareOps* const spare = support::PerThread<SpareOps>::find();
    if (spare != nullptr && ops.size() <= most_kept) spare->ops.swap(ops);
  }
};

}  // namespace

CodeCache::CodeCache(const Program& program, const void* const* handlers, bool by_handlers, Wave& wave)
    : program_(program),
      generation_(program.generation()),
      infos_(&info_table(generation_)),
      handlers_(handlers),
      literals_(wave),
      by_handlers_(by_handlers) {
  leave_op_.id = HandlerId::leave;
  leave_op_.handler = handler(HandlerId::leave);
  std::size_t count = 0;
  for (const CodeBlock& block : program.code) count += block.words.size() + 1;
  ops_ = SpareOps::take(count, undecoded());
  decoded_ops_ = std::make_unique_for_overwrite<MicroOp*[]>(count);
  areas_.reserve(program.code.size());
  std::span<MicroOp> left = ops_;
  for (const CodeBlock& block : program.code) {
    const std::size_t words = block.words.size();
    const Area& area = areas_.emplace_back(Area{block.base, words * 4, block.words, left.first(words + 1)});
    left = left.subspan(words + 1);
    put_end(area, area.base + area.size_bytes, HandlerId::outside);
    // The end of the entry function or kernel is never decoded: reaching it ends the run, whatever follows.
    if (program.function_end) put_end(area, *program.function_end, HandlerId::code_end);
    if (program.kernel_end) put_end(area, program.kernel_end->address, HandlerId::code_end);
  }
}

CodeCache::~CodeCache() {
  forget();
  for (MicroOp* const end : ends_) *end = undecoded();
  SpareOps::give_back(ops_);
}

MicroOp CodeCache::undecoded() const {
  MicroOp op;
  op.handler = handler(HandlerId::predecode);
  return op;
}

/// Puts a pseudo handler at an address in an area, or at the end of the area; ignores other addresses.
void CodeCache::put_end(const Area& area, u64 address, HandlerId id) {
  if (address - area.base > area.size_bytes) return;
  MicroOp& end = area.ops[(address - area.base) / 4];
  end.id = id;
  end.handler = handler(id);
  ends_.push_back(&end);
}

const CodeCache::Area* CodeCache::find_area(u64 address) const {
  for (const Area& area : areas_) {
    if (area.contains(address)) return &area;
  }
  return nullptr;
}

bool CodeCache::has_code_on_page(u64 address) const {
  const u64 page = address / Memory::page_bytes * Memory::page_bytes;
  return std::ranges::any_of(areas_, [page](const Area& area) {
    return area.base < page + Memory::page_bytes && area.base + area.size_bytes > page;
  });
}

std::span<const u32> CodeCache::words_at(u64 address) const {
  const Area* area = find_area(address);
  if (area == nullptr) return {};
  return area->words.subspan((address - area->base) / 4);
}

std::optional<isa::Instruction> CodeCache::instruction_at(u64 address) const {
  const std::span<const u32> words = words_at(address);
  if (words.empty()) return std::nullopt;
  return isa::decode(generation_, words);
}

std::vector<isa::RegisterSpan> CodeCache::scalar_results_at(u64 address) const {
  const std::span<const u32> words = words_at(address);
  if (words.empty()) return {};
  const isa::ScalarResults results = isa::vector_scalar_results(generation_, words);
  return {results.begin(), results.end()};
}

std::string CodeCache::text_of(const isa::Instruction& instruction, u64 address) const {
  const isa::LabelResolver label = [this](u64 target) { return support::printable(program_.describe_address(target)); };
  return isa::disassemble(generation_, instruction, {.address = address, .label = &label});
}

std::string CodeCache::text_at(u64 address) const {
  const Unresolved* const unresolved = program_.find_unresolved(address, 4);
  if (unresolved != nullptr && !unresolved->instruction.empty()) return unresolved->instruction;
  const auto instruction = instruction_at(address);
  return instruction ? text_of(*instruction, address) : std::string{};
}

const Unresolved* CodeCache::find_unresolved(u64 address) const {
  const auto instruction = instruction_at(address);
  if (!instruction || instruction->encoding == isa::EncodingClass::vector) return nullptr;
  return program_.find_unresolved(address, instruction->dwords * u64{4});
}

std::optional<CodeCache::Extent> CodeCache::nearest_code(u64 address) const {
  const auto distance = [address](const Area& area) {
    return address < area.base ? area.base - address : address - (area.base + area.size_bytes) + 4;
  };
  const auto nearest = std::ranges::min_element(areas_, {}, distance);
  if (nearest == areas_.end()) return std::nullopt;
  return Extent{nearest->base, nearest->base + nearest->size_bytes - 1};
}

void CodeCache::take_words(const Memory& memory) {
  for (std::size_t i = 0; i < areas_.size(); ++i) {
    Area& area = areas_[i];
    const std::vector<u32>& words = program_.code[i].words;
    const bool is_mapped = memory.is_mapped(area.base, area.size_bytes);
    if (is_mapped && holds(memory, area.base, area.words)) continue;
    // A run that continues another one keeps the code as that run left it.
    const bool as_it_was = !is_mapped || holds(memory, area.base, words);
    if (as_it_was && area.written.empty()) continue;
    area.written.clear();
    area.words = words;
    if (!as_it_was) {
      area.written.resize(words.size());
      memory.read(area.base, {reinterpret_cast<u8*>(area.written.data()), words.size() * sizeof(u32)});
      area.words = area.written;
    }
    forget();
    ++version_;
  }
}

bool CodeCache::write_word(u64 address, u32 value) {
  bool is_changed = false;
  for (Area& area : areas_) {
    const u64 offset = address - area.base;
    if (offset >= area.size_bytes || area.words[offset / 4] == value) continue;
    if (area.written.empty()) area.written.assign(area.words.begin(), area.words.end());
    area.written[offset / 4] = value;
    area.words = area.written;
    is_changed = true;
    ++version_;
  }
  return is_changed;
}

const MicroOp* CodeCache::enter(u64 address) {
  const auto area = std::ranges::find_if(areas_, [address](const Area& each) { return each.contains(address); });
  if (area == areas_.end()) return nullptr;
  area_ = &*area;
  return area->ops.data() + (address - area->base) / 4;
}

u64 CodeCache::address_in_any_area(const MicroOp* op) const {
  const auto holds_op = [op](const Area& area) {
    const MicroOp* const first = area.ops.data();
    return !std::less<>()(op, first) && std::less<>()(op, first + area.size_bytes / 4);
  };
  const Area& area = *std::ranges::find_if(areas_, holds_op);
  return area.base + static_cast<u64>(op - area.ops.data()) * 4;
}

void CodeCache::set_allocation(const Allocation& allocation) {
  if (slot_tables_ != nullptr && allocation_ == allocation) return;
  if (slot_tables_ != nullptr) forget();
  allocation_ = allocation;
  slot_tables_ = &slot_tables(generation_, allocation.sgprs);
}

/// All decoded blocks have run to their end, except possibly the last one. `without`: the number of instructions
/// executed last that are not counted.
std::span<MicroOp* const> CodeCache::decoded_and_run(u64 steps, u64 without) const {
  std::size_t count = decoded_count_;
  const u64 executed = steps - last_decoded_.steps;
  // A run that stops before its first instruction has executed nothing.
  const u64 completed = executed - std::min(executed, without);
  if (completed < count - last_decoded_.block) count = last_decoded_.block + completed;
  return {decoded_ops_.get(), count};
}

DefinedSet CodeCache::defines(u64 steps, u64 without) const {
  DefinedSet result;
  for (const MicroOp* const place : decoded_and_run(steps, without)) {
    const MicroOp& op = *place;
    const Defines defines = handler_defines[static_cast<std::size_t>(op.id)];
    for (u32 dword = 0; dword < defines.sdst_dwords; ++dword) result.set(op.d + dword);
    if (defines.scc) result.set(state_index::scc);
    if (defines.m0) result.set(state_index::m0);
    if (defines.exec) result.set(state_index::exec).set(state_index::exec + 1);
  }
  return result;
}

void CodeCache::forget_all_but_executed(u64 steps) {
  for (const MicroOp* const op : decoded_and_run(steps, 0)) executed_before_.insert(address_in_any_area(op));
  forget();
}

void CodeCache::forget(MicroOp& op) const {
  op.handler = handler(HandlerId::predecode);
  op.id = HandlerId::predecode;
  op.d = 0;  // merges with the neighbouring stores
  op.extent = 0;
  op.cost = 0;
}

void CodeCache::forget() {
  for (MicroOp* const op : decoded()) forget(*op);
  if (has_aside_) {
    for (MicroOp& op : ops_) {
      if (op.extent != 0) forget(op);
    }
  }
  has_aside_ = false;
  decoded_count_ = 0;
  vector_ops_.clear();
  literals_.clear();
  last_decoded_ = {};
  heat_ = 0;
}

void CodeCache::put_aside(const MicroOp* start) {
  // The switch loop uses ids and would execute invalidated ops.
  if (!by_handlers_) return forget();
  // Instructions that were fused in a hot loop are not fused again until the loop is hot again.
  const bool keeps_first = decoded_count_ != 0 && decoded_ops_[0] == start && !is_hot();
  const std::size_t kept = keeps_first ? first_block_ : 0;
  const void* const undecoded = handler(HandlerId::predecode);
  for (MicroOp* const op : decoded().subspan(kept)) {
    op->handler = undecoded;
    op->cost = 0;
  }
  has_aside_ |= decoded_count_ != kept;
  decoded_count_ = kept;
  last_decoded_ = {};
  heat_ = 0;
}

}  // namespace salu::core
