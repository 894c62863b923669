#include "observe/why/why.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "observe/fork_event.hpp"
#include "observe/touches.hpp"
#include "observe/vector_accesses.hpp"
#include "observe/why/control_flow.hpp"
#include "observe/why/probe.hpp"
#include "observe/why/step_log.hpp"

namespace salu::observe {
namespace {

/// Size of the windows of recorded steps: the first size, doubled after each window without results; beyond the limit,
/// the run is searched at full speed.
constexpr u64 first_window = 512;
constexpr u64 largest_window = 8192;

using Origin = WhySource::Origin;
using Role = WhySource::Role;

/// A dword of a wave or of memory.
struct OwnedCell {
  u64 owner = 0;  ///< number of the wave + 1; of the first wave of the work-group that has this memory; or 0
  Cell cell = 0;
  friend bool operator==(const OwnedCell&, const OwnedCell&) = default;
};

struct HashOfCell {
  std::size_t operator()(const OwnedCell& each) const {
    constexpr u64 odd = 0x9e3779b97f4a7c15;
    return std::hash<u64>()(each.cell + each.owner * odd);
  }
};

using Executor = StepLog::Executor;

/// A dword whose writer is searched.
struct Waiting {
  Location place;
  Executor executor;  ///< the wave that reads it
  u32 mask = 0;
  u32 depth = 0;  ///< of the link that will be found
  /// A source whose writer has not been found: of a link, or of the question.
  struct Source {
    std::optional<std::size_t> link;
    std::size_t number = 0;
  };
  std::vector<Source> sources;
};

/// The push of an entry of the control stack that was overwritten.
struct WaitingPush {
  std::size_t link = 0;
  u64 wave = 0;
  u64 pc = 0;
  u32 entry = 0;
};

/// A link whose controlling decision has not been found yet.
struct WaitingDecision {
  std::size_t link = 0;
  u64 wave = 0;
  u64 pc = 0;
  u32 depth = 0;
};

bool is_decision(const KnownInstruction& instruction) {
  const isa::Flow flow = instruction.flow();
  return flow == isa::Flow::branch_if || flow == isa::Flow::fork || flow == isa::Flow::join;
}

class Search {
 public:
  Search(const Past& past, const WhyOptions& options) : past_(past), options_(options), log_(past) {}

  WhyGraph find(const std::vector<Bits>& asked, u64 wave, u64 position) {
    graph_.has_several_waves = past_.launch().count > 1;
    graph_.position = position;
    log_.record(position, position);
    const bool runs = log_.run().machine_of(wave) != nullptr;
    graph_.wave = runs ? wave : log_.run().wave().number;
    const core::Machine& machine = *log_.run().machine_of(graph_.wave);
    const Executor asking = executor_of(graph_.wave);
    for (const Bits& bits : asked) {
      graph_.asked.push_back({bits, value_at(machine, bits.place).dwords[0], Role::asked});
      graph_.asked.back().follows = graph_.asked.size() > 1;
      wait_for(bits, asking, 1, {std::nullopt, graph_.asked.size() - 1});
    }
    u64 end = position;
    u64 window = first_window;
    while (end != 0 && is_waiting()) {
      const u64 first = end - std::min(end, window);
      const std::size_t links = graph_.links.size();
      look_through(first, end);
      end = first;
      window = graph_.links.size() != links ? first_window : window * 2;
      if (window > largest_window && end != 0 && is_waiting()) {
        end = skip_back(end);
        window = first_window;
      }
    }
    if (is_waiting()) look_at_start();
    return std::move(graph_);
  }

 private:
  [[nodiscard]] bool is_waiting() const { return !waiting_.empty() || !pushes_.empty() || !decisions_.empty(); }

  /// A wave whose work-group runs where the log is.
  [[nodiscard]] Executor executor_of(u64 wave) { return {wave, log_.run().group_of(wave)}; }

  /// The dword of a place that a wave accesses.
  [[nodiscard]] OwnedCell cell_for(const Executor& executor, const Location& place, u32 dword = 0) const {
    const Cell cell = cell_of(place, dword);
    if (!place.is_memory()) return {executor.wave + 1, cell};
    const auto holds = [&](const MemoryRegion& region) { return place.address - region.base < region.size_bytes; };
    return {std::ranges::any_of(past_.launch().own_memory, holds) ? executor.group + 1 : 0, cell};
  }

  void wait_for(const Bits& bits, const Executor& executor, u32 depth, Waiting::Source source) {
    const OwnedCell cell = cell_for(executor, bits.place);
    Waiting& waiting = waiting_.try_emplace(cell, Waiting{bits.place, executor, 0, depth, {}}).first->second;
    waiting.mask |= bits.mask;
    waiting.depth = std::min(waiting.depth, depth);
    waiting.sources.push_back(source);
  }

  WhySource& source(const Waiting::Source& source) {
    return source.link ? graph_.links[*source.link].sources[source.number] : graph_.asked[source.number];
  }
  void answer(const Waiting& waiting, Origin origin, std::size_t link = 0) {
    for (const Waiting::Source& each : waiting.sources) {
      source(each).origin = origin;
      source(each).link = link;
    }
  }

  // ---- windows ----

  void look_through(u64 first, u64 end) {
    log_.record(first, end);
    for (u64 position = log_.end(); position-- > first && is_waiting();) {
      if (has_edit_at(position + 1)) take_edit(position + 1);
      look_at(position);
    }
  }

  [[nodiscard]] bool has_edit_at(u64 position) const {
    return position != 0 && past_.next_edit(position - 1) == position;
  }

  void look_at(u64 position) {
    std::vector<OwnedCell> written;
    const Executor& executor = log_.executor_at(position);
    log_.visit_writes(position, [&](const Location& place) {
      const OwnedCell cell = cell_for(executor, place);
      if (waiting_.contains(cell) && std::ranges::find(written, cell) == written.end()) written.push_back(cell);
    });
    if (!pushes_.empty()) take_pushes(position);
    std::vector<WaitingDecision> decided;
    if (!decisions_.empty() && is_decision(log_.instruction_at(position)))
      decided = take_decided(executor, log_.pc_at(position));
    if (!written.empty() || !decided.empty()) add_link(position, written, decided);
  }

  /// Handles an edit from outside the program, after the instruction that leads to a position.
  void take_edit(u64 position) {
    std::vector<OwnedCell> written;
    const std::vector<PlaceOfWave> edited = past_.edited_at(position);
    log_.machine_at(position);
    WhyLink link;
    for (const PlaceOfWave& edit : edited) {
      for (u32 i = 0; i < edit.place.dwords; ++i) {
        const OwnedCell cell = cell_for(executor_of(edit.wave), edit.place, i);
        // A place may have been set several times here.
        if (!waiting_.contains(cell) || std::ranges::find(written, cell) != written.end()) continue;
        written.push_back(cell);
        link.wave = edit.wave;
      }
    }
    if (written.empty()) return;
    link.position = position;
    link.is_edit = true;
    const core::Machine& machine = *log_.run().machine_of(link.wave);
    link.pc = machine.pc();
    answer_by_next_link(take_waiting(written, link));
    for (const Bits& bits : link.written) link.values.push_back(value_at(machine, bits.place).dwords[0]);
    graph_.links.push_back(std::move(link));
  }

  void take_pushes(u64 position) {
    if (log_.instruction_at(position).flow() != isa::Flow::fork) return;
    std::erase_if(pushes_, [&](const WaitingPush& push) {
      if (log_.pc_at(position) != push.pc || log_.executor_at(position).wave != push.wave) return false;
      bool pushed = false;
      log_.visit_writes(position, [&](const Location& place) { pushed = pushed || place.index == push.entry * 4; });
      if (pushed) graph_.links[push.link].overwritten->position = position;
      return pushed;
    });
  }

  [[nodiscard]] ControlFlow& control_flow() {
    if (!control_flow_) control_flow_.emplace(log_.machine());
    return *control_flow_;
  }

  /// Removes and returns the links that a decision controls.
  std::vector<WaitingDecision> take_decided(const Executor& executor, u64 pc) {
    std::vector<WaitingDecision> decided;
    std::erase_if(decisions_, [&](const WaitingDecision& each) {
      const bool is_it = each.wave == executor.wave && control_flow().decides(pc, each.pc);
      if (is_it) decided.push_back(each);
      return is_it;
    });
    return decided;
  }

  // ---- links ----

  /// Removes the waiting entries for these dwords, which a link answers. Returns them by value to avoid a copy: an
  /// instruction in a loop can have many.
  std::vector<Waiting> take_waiting(const std::vector<OwnedCell>& cells, WhyLink& link) {
    std::vector<Waiting> taken;
    link.depth = ~u32{0};
    for (const OwnedCell& cell : cells) {
      const auto found = waiting_.find(cell);
      link.depth = std::min(link.depth, found->second.depth);
      link.written.push_back({found->second.place, found->second.mask});
      taken.push_back(std::move(found->second));
      waiting_.erase(found);
    }
    return taken;
  }

  /// Records the next link as the source of all taken entries.
  void answer_by_next_link(const std::vector<Waiting>& taken) {
    for (const Waiting& each : taken) answer(each, Origin::link, graph_.links.size());
  }

  void add_link(u64 position, const std::vector<OwnedCell>& written, const std::vector<WaitingDecision>& decided) {
    core::Machine& machine = log_.machine_at(position);
    if (graph_.links.size() >= options_.most_links) return give_up();
    const Executor executor = log_.executor_at(position);
    WhyLink link;
    link.wave = executor.wave;
    link.position = position;
    link.pc = log_.pc_at(position);
    link.text = log_.instruction_at(position).text();
    std::vector<Waiting> taken = take_waiting(written, link);
    for (const WaitingDecision& each : decided) {
      link.depth = std::min(link.depth, each.depth);
      graph_.links[each.link].decided_by = graph_.links.size();
    }
    find_overwritten(machine, link);
    probe(machine, link, !decided.empty());
    if (decided.empty() && passes_through(link)) {
      // The instruction wrote the previous value again, and did so only because it was the previous value.
      for (Waiting& each : taken) waiting_.emplace(cell_for(each.executor, each.place), std::move(each));
      return;
    }
    answer_by_next_link(taken);
    const std::size_t number = graph_.links.size();
    graph_.links.push_back(std::move(link));
    WhyLink& added = graph_.links.back();
    if (options_.follow_decisions && added.depth < options_.most_depth)
      decisions_.push_back({number, added.wave, added.pc, added.depth + 1});
    if (added.overwritten) pushes_.push_back({number, added.wave, added.overwritten->pc, added.overwritten->entry});
    for (std::size_t i = 0; i < added.sources.size(); ++i) {
      WhySource& each = added.sources[i];
      const bool follows = each.role == Role::value || (each.role == Role::address && options_.follow_addresses) ||
                           (each.role == Role::lane && options_.follow_lanes);
      if (!follows) {
        each.origin = Origin::not_followed;
      } else if (added.depth >= options_.most_depth) {
        graph_.is_cut = true;
      } else {
        wait_for(each.bits, executor, added.depth + 1, {number, i});
      }
    }
  }

  /// Finds the inputs that determined the results of a link, and for a decision also its successor.
  void probe(core::Machine& machine, WhyLink& link, bool decides) const {
    std::vector<Bits> asked = link.written;
    if (decides) {
      for (const Bits& bits : whole_bits({state_index::pc, 2})) asked.push_back(bits);
    }
    Probe probe(machine);
    // An instruction that changes the value does not pass it through.
    if (!options_.find_inputs && !decides && probe.changes(asked, link.values)) return;
    link.sources = probe.find(asked, link.values);
    if (!decides) return;
    link.went_to = u64{link.values[link.written.size() + 1]} << 32 | link.values[link.written.size()];
    link.values.resize(link.written.size());
  }

  /// True if the bits are the previous value, and no other input determined them.
  static bool passes_through(const WhyLink& link) {
    const auto is_kept = [&](std::size_t i) {
      const Bits& bits = link.written[i];
      const auto same =
          std::ranges::find_if(link.sources, [&](const WhySource& each) { return each.bits.cell() == bits.cell(); });
      return same != link.sources.end() && same->bits.mask == bits.mask &&
             ((same->value ^ link.values[i]) & bits.mask) == 0;
    };
    if (link.sources.size() != link.written.size() || link.overwritten) return false;
    for (std::size_t i = 0; i < link.written.size(); ++i) {
      if (!is_kept(i)) return false;
    }
    return true;
  }

  /// Finds out whether a link overwrites an entry of the control stack in which lanes wait.
  static void find_overwritten(const core::Machine& machine, WhyLink& link) {
    const auto instruction = machine.code().instruction_at(machine.pc());
    if (!instruction || is_fork(*instruction)) return;
    const u32 csp = machine.wave().csp();
    for (const Bits& bits : link.written) {
      const u32 entry = bits.place.index / entry_dwords;
      if (bits.place.is_memory() || entry >= csp) continue;
      core::PushedEntries pushed = machine.pushed();
      pushed.make_list(csp);
      const core::PushedEntry* const found = pushed.find(entry);
      if (found == nullptr || found->origin != core::PushedEntry::Origin::fork) continue;
      link.overwritten = {entry, found->by, std::nullopt, machine.code().text_at(found->by)};
    }
  }

  /// Stops the search for links, except for missing details of existing ones.
  void give_up() {
    graph_.is_cut = true;
    waiting_.clear();
    decisions_.clear();
  }

  // ---- fast search ----

  /// Searches backwards, in parts of growing size, for the last instruction that may have written a searched place;
  /// returns the position after it, or 0 if none exists.
  u64 skip_back(u64 end) {
    u64 length = largest_window;
    while (end != 0) {
      const u64 first = past_.kept_before(end - std::min(end, length)).steps;
      const bool needs_memory = may_differ_in_memory(first, end);
      const auto may_write = [&](u64 address, const KnownInstruction& instruction) {
        return may_answer(address, instruction, needs_memory);
      };
      const auto writes = [&](const Executor& executor, u64 address, const Accesses& accesses) {
        return answers(executor, address, accesses);
      };
      std::optional<u64> last = log_.find_last(first, end, may_write, writes);
      for (u64 edit = past_.next_edit(first); edit <= end; edit = past_.next_edit(edit)) {
        // Memory of a work-group counts for all of them: a position that is too late costs only time.
        const auto is_waited_for_here = [&](const PlaceOfWave& each) {
          return std::ranges::any_of(waiting_, [&](const auto& one) { return overlap(one.second.place, each.place); });
        };
        if (std::ranges::any_of(past_.edited_at(edit), is_waited_for_here)) last = std::max(last.value_or(0), edit);
      }
      if (last) return *last;
      end = first;
      length *= 2;
    }
    return 0;
  }

  [[nodiscard]] bool is_waited_for(const Executor& executor, const Location& location) const {
    for (u32 i = 0; i < location.dwords; ++i) {
      if (waiting_.contains(cell_for(executor, location, i))) return true;
    }
    return false;
  }

  /// Memory pages that two states share are unchanged.
  [[nodiscard]] bool may_differ_in_memory(u64 first, u64 end) const {
    const WorkGroups::Kept& before = past_.kept_before(first);
    const WorkGroups::Kept* const after = &past_.kept_before(end);
    if (after->steps < end) return true;
    return std::ranges::any_of(waiting_, [&](const auto& each) {
      if (!each.second.place.is_memory()) return false;
      if (each.first.owner != 0) return true;
      const u64 page = each.second.place.address / Memory::page_bytes * Memory::page_bytes;
      return before.memory.page_for_reading(page) != after->memory.page_for_reading(page);
    });
  }

  [[nodiscard]] bool decides_any(u64 address, const KnownInstruction& known) {
    return !decisions_.empty() && is_decision(known) &&
           std::ranges::any_of(decisions_, [&](const auto& each) { return control_flow().decides(address, each.pc); });
  }

  /// True if an instruction at an address may write a searched place.
  [[nodiscard]] bool may_answer(u64 address, const KnownInstruction& known, bool needs_memory) {
    if (std::ranges::any_of(pushes_, [&](const WaitingPush& push) { return push.pc == address; })) return true;
    if (past_.launch().program.find_assumption(address) != nullptr) return true;
    if (decides_any(address, known)) return true;
    const isa::vector::Instruction* const vector = known.vector();
    return std::ranges::any_of(waiting_, [&](const auto& each) {
      const Location& place = each.second.place;
      if (place.is_memory() && !needs_memory) return false;
      if (known.instruction().encoding != isa::EncodingClass::vector)
        return may_write(known.generation(), known.instruction(), place);
      return vector != nullptr && may_write(known.generation(), *vector, place, moves_vectors());
    });
  }

  [[nodiscard]] bool moves_vectors() {
    if (!moves_vectors_) moves_vectors_ = may_move_vectors(log_.machine(), first_state());
    return *moves_vectors_;
  }

  /// The initial state of the first wave.
  [[nodiscard]] const WaveState& first_state() const {
    return past_.kept_before(0).groups.front().waves.front().state.state;
  }

  [[nodiscard]] bool answers(const Executor& executor, u64 address, const Accesses& accesses) {
    const auto decides = [&](const WaitingDecision& each) {
      return each.wave == executor.wave && control_flow().decides(address, each.pc);
    };
    const auto is_push = [&](const WaitingPush& push) { return push.wave == executor.wave && push.pc == address; };
    const auto is_waited = [&](const Location& place) { return is_waited_for(executor, place); };
    if (std::ranges::any_of(decisions_, decides) || std::ranges::any_of(pushes_, is_push)) return true;
    if (std::ranges::any_of(accesses.writes, is_waited)) return true;
    return std::ranges::any_of(waiting_, [&](const auto& each) {
      if (each.first.owner != executor.wave + 1) return false;
      return std::ranges::any_of(accesses.vectors_written, [&](const Accesses::Lanes& vector) {
        return are_in(vector.number, vector.lanes, each.second.place);
      });
    });
  }

  // ---- initial state ----

  void look_at_start() {
    std::optional<DispatchedWave> start;
    std::optional<u64> wave;
    for (const auto& [cell, waiting] : waiting_) {
      if (wave != waiting.executor.wave) start = past_.launch().waves.wave(waiting.executor.wave);
      wave = waiting.executor.wave;
      const bool is_given = waiting.place.is_memory() || is_defined(start->initial, waiting.place.index);
      answer(waiting, is_given ? Origin::start : Origin::nothing);
    }
    waiting_.clear();
    pushes_.clear();
    decisions_.clear();
  }

  const Past& past_;
  const WhyOptions& options_;
  StepLog log_;
  WhyGraph graph_;
  std::unordered_map<OwnedCell, Waiting, HashOfCell> waiting_;
  std::vector<WaitingPush> pushes_;
  std::vector<WaitingDecision> decisions_;
  std::optional<ControlFlow> control_flow_;
  std::optional<bool> moves_vectors_;
};

}  // namespace

std::vector<Bits> whole_bits(const Location& place) {
  std::vector<Bits> result;
  for (u32 i = 0; i < place.dwords; ++i) {
    const Location dword =
        place.is_memory() ? Location::in_memory((place.address & ~u64{3}) + u64{i} * 4) : Location{place.index + i};
    result.push_back({dword, dword.index == state_index::scc ? 1 : ~u32{0}});
  }
  return result;
}

WhyGraph find_why(const Past& past, const std::vector<Bits>& asked, u64 wave, u64 position, const WhyOptions& options) {
  return Search(past, options).find(asked, wave, position);
}

}  // namespace salu::observe
