#include "observe/stack_watch.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "observe/accesses.hpp"
#include "observe/open_forks.hpp"
#include "observe/touches.hpp"
#include "support/numbers.hpp"

namespace salu::observe {
namespace {

using support::hex;
using Kind = ForkEvent::Kind;

constexpr u32 stack_entries = 8;
constexpr u32 stack_dwords = stack_entries * entry_dwords;
constexpr std::size_t most_problems = 50;

using StackDwords = std::array<u32, stack_dwords>;

Location entry_registers(u32 entry) { return {entry * entry_dwords, entry_dwords}; }

std::string fork_at(u64 pc, u64 position) {
  return "the fork at " + hex(pc) + " (step " + std::to_string(position + 1) + ")";
}

/// True if an instruction only copies the value of a place: saving and restoring an entry of the control stack is not
/// misuse.
bool only_copies(const isa::Instruction& instruction, const Location& place) {
  if (instruction.encoding != isa::EncodingClass::scalar) return false;
  if (isa::is_scalar_memory(instruction.insn)) {
    return isa::memory_operation(instruction.insn).kind == isa::MemoryOperation::Kind::store &&
           place.index == instruction.memory.sdata;
  }
  return isa::info(instruction.insn).copies;
}

}  // namespace

class StackWatch::Implementation {
 public:
  Implementation(const core::Machine& machine, const WaveState& initial, const std::vector<ForkEvent>& events)
      : machine_(machine), events_(events) {
    for (u32 entry = 0; entry < initial.csp(); ++entry) by_hand_.set(entry);
    for (const ForkEvent& event : events) {
      if (event.kind == Kind::split) used_.set(event.csp_before);
      for (u32 entry = event.csp_before; event.kind == Kind::set && entry < event.csp_after; ++entry) used_.set(entry);
    }
    for (u32 i = 0; i < stack_dwords; ++i) {
      registers_[i].user = initial.defined.test(i) ? User::program : User::none;
      known_[i] = initial.file[i];
    }
  }

  [[nodiscard]] bool picks(u64 address) const {
    const auto instruction = machine_.code().instruction_at(address);
    if (!instruction) return false;
    if (may_change_csp(machine_.generation(), *instruction)) return true;
    for (u32 entry = 0; entry < stack_entries; ++entry) {
      const Location place = entry_registers(entry);
      if (used_.test(entry) &&
          (may_write(machine_.generation(), *instruction, place) || may_read(machine_, *instruction, place)))
        return true;
    }
    return false;
  }

  void visit(const std::function<void()>& step) {
    const u64 position = machine_.steps();
    take_edits(position);
    const u64 pc = machine_.pc();
    const auto instruction = machine_.code().instruction_at(pc);
    const bool moves_stack = is_fork(*instruction) || is_join(*instruction);
    const Accesses accesses = find_accesses(machine_, *instruction);
    if (!moves_stack) check_reads(position, pc, *instruction, accesses.reads);
    step();
    if (!moves_stack) check_writes(position, pc, accesses.writes);
    if (next_event_ == events_.size() || events_[next_event_].position != position) return;
    follow(events_[next_event_++]);
  }

  std::vector<ForkProblem> finish() {
    take_edits(machine_.steps());
    for (const auto& [position, fork] : waiting_) report_held(fork);
    report_lost_lanes();
    std::ranges::sort(problems_, [](const ForkProblem& left, const ForkProblem& right) {
      return std::tie(left.position, left.text) < std::tie(right.position, right.text);
    });
    return std::move(problems_);
  }

 private:
  enum class User : u8 { none, program, stack };
  /// An SGPR that can be part of the control stack.
  struct Register {
    User user = User::none;  ///< the kind of instruction that wrote it last
    bool has_lost = false;   ///< a fork overwrote a value of the program
    u32 lost = 0;            ///< the overwritten value
    u64 fork_pc = 0;
    u64 fork_position = 0;
  };

  /// Problems that are reported only if the join that pops the entry finds another value, or is never reached.
  struct Waiting {
    u64 pc = 0;                           ///< of the fork
    std::optional<ForkProblem> write;     ///< the instruction that overwrote the entry
    std::optional<ForkProblem> given_up;  ///< the instruction that set CSP below it
    std::string write_kind;
    std::string given_up_kind;
  };

  /// `kind`: identifies the problem together with the instruction.
  void report(ForkProblem problem, const std::string& kind) {
    const auto [known, is_new] = by_kind_.emplace(std::pair(problem.pc, kind), problems_.size());
    if (!is_new) {
      ForkProblem& first = problems_[known->second];
      const u64 count = first.count + 1;
      if (problem.position < first.position) first = std::move(problem);
      first.count = count;
    } else if (problems_.size() < most_problems) {
      problems_.push_back(std::move(problem));
    } else {
      by_kind_.erase(known);
    }
  }

  void report_held(const Waiting& fork) {
    const bool is_later = fork.write && fork.given_up && fork.write->position > fork.given_up->position;
    if (fork.write && !is_later) report(*fork.write, fork.write_kind);
    if (fork.given_up) report(*fork.given_up, fork.given_up_kind);
  }

  /// Reports the forks whose second side has not run at the end of the program.
  void report_lost_lanes() {
    if (!machine_.stopped()) return;
    const Stop stop = machine_.stop();
    if (stop.reason != StopReason::end_program && stop.reason != StopReason::returned) return;
    const u64 executed = machine_.steps();
    for (const OpenFork& fork : open_.all()) {
      const auto waiting = waiting_.find(fork.step);
      if (fork.second || waiting == waiting_.end() || waiting->second.given_up) continue;
      const u64 fork_pc = waiting->second.pc;
      report({executed == 0 ? 0 : executed - 1, stop.pc,
              "ends the program, while " + lanes_wait(fork.pending_mask) + " in " + entry_text(fork.entry) + " for " +
                  hex(fork.pending_pc) + " since " + fork_at(fork_pc, fork.step)},
             "end " + std::to_string(fork.entry) + " " + hex(fork_pc));
    }
  }

  /// Changes since the last visited instruction are treated like writes of the program.
  void take_edits(u64 position) {
    for (u32 i = 0; i < stack_dwords; ++i) {
      if (machine_.wave().slots[i] == known_[i]) continue;
      known_[i] = machine_.wave().slots[i];
      registers_[i] = {User::program, false, 0, 0, 0};
      (void)check_entry(i / entry_dwords);
    }
    while (next_event_ < events_.size() && events_[next_event_].kind == Kind::edit &&
           events_[next_event_].position <= position) {
      set_csp(events_[next_event_++]);
    }
  }

  void follow(const ForkEvent& event) {
    if (event.kind == Kind::split) {
      push(event);
    } else if (event.kind == Kind::whole) {
      open_.pass_whole(stack_step(event));
    } else if (event.kind == Kind::resume) {
      pop(event);
    } else if (event.kind == Kind::rejoin) {
      (void)open_.go_on(stack_step(event));
    } else if (event.kind == Kind::set) {
      set_csp(event);
    }
  }

  void push(const ForkEvent& event) {
    open_.push(stack_step(event), event.waiting_pc, std::nullopt);
    waiting_[event.position].pc = event.pc;
    const u32 first = event.csp_before * entry_dwords;
    if (!machine_.wave().in_allocation(first, entry_dwords)) return;
    for (u32 i = first; i < first + entry_dwords; ++i) {
      Register& reg = registers_[i];
      if (reg.user == User::program) {
        reg.has_lost = true;
        reg.lost = known_[i];
        reg.fork_pc = event.pc;
        reg.fork_position = event.position;
      }
      reg.user = User::stack;
      known_[i] = pushed_dword(event.waiting_lanes, event.waiting_pc, i);
    }
  }

  /// The dword that a fork writes to an SGPR of its entry.
  static u32 pushed_dword(u64 lanes, u64 pc, u32 sgpr) {
    const u64 pair = sgpr % entry_dwords < 2 ? lanes : pc;
    return static_cast<u32>(sgpr % 2 == 0 ? pair : pair >> 32);
  }

  void pop(const ForkEvent& event) {
    const StackStep step = stack_step(event);
    const OpenFork* const fork = open_.pop(step);
    const u32 entry = event.csp_after;
    const bool is_by_hand = fork == nullptr && by_hand_.test(entry);
    by_hand_.reset(entry);
    if (is_by_hand) {
      // A program that has written the entry itself restores a saved stack.
      if (!raised_[entry] || is_written(entry)) return;
      report(*raised_[entry], "raise " + std::to_string(entry));
    }
    const std::string problem = pop_problem(fork, step);
    const auto waiting = fork == nullptr ? waiting_.end() : waiting_.find(fork->step);
    if (!problem.empty()) {
      if (waiting != waiting_.end()) report_held(waiting->second);
      report({event.position, event.pc, problem}, "pop " + std::to_string(event.csp_after));
    }
    if (waiting != waiting_.end()) waiting_.erase(waiting);
  }

  /// CSP was set: entries above it no longer wait, until CSP is set back.
  void set_csp(const ForkEvent& event) {
    const bool is_edit = event.kind == Kind::edit;
    const std::string what =
        is_edit ? "CSP was set from outside the program to " : "an instruction other than a fork or join sets CSP to ";
    const std::string start = what + std::to_string(event.csp_after) + ": ";
    const auto problem = [&](const std::string& text) {
      return ForkProblem{event.position, event.pc, start + text, 1, is_edit};
    };
    for (const OpenFork& fork : open_.all()) {
      const auto waiting = waiting_.find(fork.step);
      if (fork.second || waiting == waiting_.end()) continue;
      if (fork.entry < event.csp_after) {
        waiting->second.given_up.reset();
      } else if (fork.entry < event.csp_before && !waiting->second.given_up) {
        waiting->second.given_up_kind = "csp " + std::to_string(fork.entry);
        waiting->second.given_up = problem("the " + lanes_text(fork.pending_mask) + " waiting in " +
                                           entry_text(fork.entry) + " will not be resumed unless CSP is set back");
      }
    }
    for (u32 entry = event.csp_before; entry < event.csp_after; ++entry) {
      if (find_waiting(entry) != nullptr) continue;
      by_hand_.set(entry);
      raised_[entry].reset();
      if (!is_edit) raised_[entry] = problem("no fork has pushed " + entry_text(entry));
    }
  }

  /// True if all SGPRs of an entry have been written.
  [[nodiscard]] bool is_written(u32 entry) const {
    const auto first = registers_.begin() + entry * entry_dwords;
    return std::all_of(first, first + entry_dwords, [](const Register& reg) { return reg.user != User::none; });
  }

  /// The innermost fork whose lanes wait in an entry; null if none.
  [[nodiscard]] const OpenFork* find_waiting(u32 entry) const {
    const auto forks = open_.all();
    const auto found = std::find_if(forks.rbegin(), forks.rend(),
                                    [&](const OpenFork& open) { return open.entry == entry && !open.second; });
    return found == forks.rend() ? nullptr : &*found;
  }

  void check_reads(u64 position, u64 pc, const isa::Instruction& instruction, const std::vector<Location>& reads) {
    for (const Location& place : reads) {
      if (place.is_memory()) continue;
      for (u32 i = place.index; i < std::min(place.index + place.dwords, stack_dwords); ++i) {
        const Register& reg = registers_[i];
        if (reg.user != User::stack || !reg.has_lost) continue;
        if (find_waiting(i / entry_dwords) != nullptr && only_copies(instruction, place)) continue;
        const std::string sgpr = "s" + std::to_string(i);
        report({position, pc,
                "reads " + sgpr + ", in which " + fork_at(reg.fork_pc, reg.fork_position) + " has overwritten " +
                    hex(reg.lost, 8)},
               "read " + sgpr + " " + hex(reg.fork_pc));
        return;
      }
    }
  }

  void check_writes(u64 position, u64 pc, const std::vector<Location>& writes) {
    for (const Location& place : writes) {
      if (place.is_memory()) continue;
      for (u32 i = place.index; i < std::min(place.index + place.dwords, stack_dwords); ++i) {
        registers_[i] = {User::program, false, 0, 0, 0};
        known_[i] = machine_.wave().slots[i];
        note_overwrite(position, pc, i);
      }
    }
  }

  void note_overwrite(u64 position, u64 pc, u32 sgpr) {
    const u32 entry = sgpr / entry_dwords;
    const OpenFork* const fork = find_waiting(entry);
    if (fork == nullptr || check_entry(entry)) return;
    const auto waiting = waiting_.find(fork->step);
    if (waiting == waiting_.end() || waiting->second.write) return;
    const std::string name = "s" + std::to_string(sgpr);
    waiting->second.write_kind = "write " + name;
    waiting->second.write = ForkProblem{position, pc,
                                        "writes " + name + ", while " + lanes_wait(fork->pending_mask) + " in " +
                                            entry_text(entry) + " of the control stack"};
  }

  /// True if an entry has the values that the waiting fork pushed; the last writer then only restored it.
  bool check_entry(u32 entry) {
    const OpenFork* const fork = find_waiting(entry);
    if (fork == nullptr) return false;
    const u32 first = entry * entry_dwords;
    for (u32 i = first; i < first + entry_dwords; ++i) {
      if (machine_.wave().slots[i] != pushed_dword(fork->pending_mask, fork->pending_pc, i)) return false;
    }
    for (u32 i = first; i < first + entry_dwords; ++i) registers_[i].user = User::stack;
    if (const auto waiting = waiting_.find(fork->step); waiting != waiting_.end()) waiting->second.write.reset();
    return true;
  }

  const core::Machine& machine_;
  const std::vector<ForkEvent>& events_;
  std::bitset<stack_entries> used_;                               ///< entries that forks push
  std::array<std::optional<ForkProblem>, stack_entries> raised_;  ///< entries that CSP was raised above without a fork
  std::bitset<stack_entries> by_hand_;  ///< entries included in CSP from the start, or written by the program
  std::size_t next_event_ = 0;
  OpenForks open_;
  std::array<Register, stack_dwords> registers_{};
  StackDwords known_{};             ///< the values after the visited instructions
  std::map<u64, Waiting> waiting_;  ///< by the position of the fork
  std::vector<ForkProblem> problems_;
  std::map<std::pair<u64, std::string>, std::size_t> by_kind_;  ///< index in the list of problems, by address and kind
};

StackWatch::StackWatch(const core::Machine& machine, const WaveState& initial, const std::vector<ForkEvent>& events)
    : implementation_(std::make_unique<Implementation>(machine, initial, events)) {}
StackWatch::~StackWatch() = default;

bool StackWatch::picks(u64 address) const { return implementation_->picks(address); }
void StackWatch::visit(const std::function<void()>& step) { implementation_->visit(step); }
std::vector<ForkProblem> StackWatch::finish() { return implementation_->finish(); }

}  // namespace salu::observe
