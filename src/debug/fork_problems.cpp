#include "debug/fork_problems.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <optional>
#include <tuple>
#include <utility>

#include "core/accesses.hpp"
#include "core/text.hpp"
#include "debug/touches.hpp"
#include "isa/operand.hpp"

namespace salu::debug {
namespace {

using core::hex;
using Kind = ForkEvent::Kind;

constexpr u32 entry_dwords = 4;
constexpr u32 stack_entries = 8;
constexpr u32 stack_dwords = stack_entries * entry_dwords;
constexpr std::size_t most_problems = 50;
constexpr Location mode_register = {Location::Kind::mode, 0, 1, 0};

using StackDwords = std::array<u32, stack_dwords>;

Location entry_registers(u32 entry) {
  return {Location::Kind::registers, static_cast<u8>(entry * entry_dwords), entry_dwords, 0};
}

std::string entry_text(u32 entry) {
  const u32 first = entry * entry_dwords;
  return "entry " + std::to_string(entry) + " (s[" + std::to_string(first) + ":" + std::to_string(first + 3) + "])";
}

/// Follows the SGPRs in which the control stack lies, and what else the program does with them.
class StackWatch {
 public:
  StackWatch(const Session& session, const std::vector<ForkEvent>& events)
      : session_(session), machine_(session.machine()), events_(events) {
    const WaveState& initial = session.timeline().scenario().initial;
    for (u32 i = 0; i < stack_dwords; ++i) registers_[i].user = initial.defined.test(i) ? User::program : User::none;
  }

  /// In front of an instruction that may touch the stack; `step` executes it.
  void visit(const std::function<void()>& step) {
    const u64 position = session_.timeline().position();
    take_edits(position);
    const u64 pc = machine_.pc();
    const auto instruction = machine_.instruction_at(pc);
    const bool moves_stack = is_fork(*instruction) || is_join(*instruction);
    const core::Accesses accesses = core::find_accesses(machine_, *instruction);
    if (!moves_stack) check_reads(position, pc, accesses.reads);
    const StackDwords before = stack_now();
    step();
    if (!moves_stack) check_writes(position, pc, accesses.writes);
    if (next_event_ == events_.size() || events_[next_event_].position != position) return;
    follow(events_[next_event_++], before);
  }

  std::vector<ForkProblem> finish() {
    take_edits(session_.timeline().position());
    for (const auto& write : overwritten_) {
      if (write) report(*write);
    }
    std::ranges::sort(problems_, [](const ForkProblem& left, const ForkProblem& right) {
      return std::tie(left.position, left.text) < std::tie(right.position, right.text);
    });
    return std::move(problems_);
  }

 private:
  enum class User : u8 { none, program, stack };
  /// An SGPR that the control stack may lie in.
  struct Register {
    User user = User::none;  ///< who wrote it last
    bool has_lost = false;   ///< a fork pushed over a value of the program
    u32 lost = 0;            ///< that value
    u64 fork_pc = 0;
    u64 fork_position = 0;
  };

  [[nodiscard]] StackDwords stack_now() const {
    StackDwords dwords{};
    std::copy_n(machine_.slots.begin(), stack_dwords, dwords.begin());
    return dwords;
  }

  void report(ForkProblem problem) {
    const bool is_known = std::ranges::any_of(
        problems_, [&](const ForkProblem& other) { return other.pc == problem.pc && other.text == problem.text; });
    if (!is_known && problems_.size() < most_problems) problems_.push_back(std::move(problem));
  }

  void take_edits(u64 position) {
    while (next_event_ < events_.size() && events_[next_event_].kind == Kind::edit &&
           events_[next_event_].position <= position) {
      set_csp(events_[next_event_++]);
    }
  }

  void follow(const ForkEvent& event, const StackDwords& before) {
    if (event.kind == Kind::split) {
      push(event, before);
    } else if (event.kind == Kind::resume) {
      pop(event);
    } else if (event.kind == Kind::rejoin) {
      (void)open_.go_on(stack_step(event));
    } else if (event.kind == Kind::set) {
      set_csp(event);
    }
  }

  void push(const ForkEvent& event, const StackDwords& before) {
    open_.push(stack_step(event), event.waiting_pc, std::nullopt);
    overwritten_[event.csp_before].reset();
    const u32 first = event.csp_before * entry_dwords;
    if (first + entry_dwords > machine_.allocated_sgprs()) return;
    for (u32 i = first; i < first + entry_dwords; ++i) {
      Register& reg = registers_[i];
      if (reg.user == User::program) {
        reg.has_lost = true;
        reg.lost = before[i];
        reg.fork_pc = event.pc;
        reg.fork_position = event.position;
      }
      reg.user = User::stack;
      const u64 pair = i - first < 2 ? event.waiting_lanes : event.waiting_pc;
      pushed_[i] = static_cast<u32>(i % 2 == 0 ? pair : pair >> 32);
    }
  }

  void pop(const ForkEvent& event) {
    const core::StackStep step = stack_step(event);
    const std::string problem = core::pop_problem(open_.pop(step), step);
    if (!problem.empty()) {
      if (const auto& write = overwritten_[event.csp_after]) report(*write);
      report({event.position, event.pc, problem});
    }
    for (u32 entry = event.csp_after; entry < stack_entries; ++entry) overwritten_[entry].reset();
  }

  /// CSP was set: what lies above it waits no longer.
  void set_csp(const ForkEvent& event) {
    const std::string what = event.kind == Kind::edit ? "CSP was set from outside the program to "
                                                      : "an instruction that is no fork and no join sets CSP to ";
    const std::string start = what + std::to_string(event.csp_after) + ": ";
    for (const core::OpenFork& fork : open_.all()) {
      if (fork.second || fork.entry < event.csp_after || fork.entry >= event.csp_before) continue;
      report({event.position, event.pc,
              start + "the " + lanes_count(fork.pending_mask) + " waiting in " + entry_text(fork.entry) +
                  " will not be resumed"});
    }
    for (u32 entry = event.csp_before; entry < event.csp_after; ++entry) {
      const bool is_pushed = std::ranges::any_of(
          open_.all(), [&](const core::OpenFork& fork) { return fork.entry == entry && !fork.second; });
      if (!is_pushed) report({event.position, event.pc, start + "no fork has pushed " + entry_text(entry)});
    }
  }

  static std::string lanes_count(u64 mask) {
    const int count = std::popcount(mask);
    return std::to_string(count) + (count == 1 ? " lane" : " lanes");
  }

  void check_reads(u64 position, u64 pc, const std::vector<Location>& reads) {
    for (const Location& place : reads) {
      for (u32 i = place.first; i < std::min(u32{place.first} + place.dwords, stack_dwords); ++i) {
        if (place.kind != Location::Kind::registers) break;
        const Register& reg = registers_[i];
        if (reg.user != User::stack || !reg.has_lost) continue;
        report({position, pc,
                "reads s" + std::to_string(i) + ", in which the fork at " + hex(reg.fork_pc) + " (position " +
                    std::to_string(reg.fork_position) + ") pushed over " + hex(reg.lost, 8)});
        return;
      }
    }
  }

  void check_writes(u64 position, u64 pc, const std::vector<Location>& writes) {
    for (const Location& place : writes) {
      if (place.kind != Location::Kind::registers) continue;
      for (u32 i = place.first; i < std::min(u32{place.first} + place.dwords, stack_dwords); ++i) {
        registers_[i] = {User::program, false, 0, 0, 0};
        note_overwrite(position, pc, i);
      }
    }
  }

  void note_overwrite(u64 position, u64 pc, u32 sgpr) {
    const u32 entry = sgpr / entry_dwords;
    const auto fork = std::ranges::find_if(
        open_.all(), [&](const core::OpenFork& open) { return open.entry == entry && !open.second; });
    if (fork == open_.all().end()) return;
    const auto first = static_cast<std::ptrdiff_t>(entry * entry_dwords);
    const bool is_as_pushed =
        std::equal(pushed_.begin() + first, pushed_.begin() + first + entry_dwords, machine_.slots.begin() + first);
    std::optional<ForkProblem>& known = overwritten_[entry];
    if (is_as_pushed) {
      known.reset();
    } else if (!known) {
      known = ForkProblem{position, pc,
                          "writes s" + std::to_string(sgpr) + ", while " + lanes_count(fork->pending_mask) +
                              " wait in " + entry_text(entry) + " of the control stack"};
    }
  }

  const Session& session_;
  const core::Machine& machine_;
  const std::vector<ForkEvent>& events_;
  std::size_t next_event_ = 0;
  core::OpenForks open_;
  std::array<Register, stack_dwords> registers_{};
  StackDwords pushed_{};                                               ///< what the forks left there
  std::array<std::optional<ForkProblem>, stack_entries> overwritten_;  ///< who wrote to an entry that waits
  std::vector<ForkProblem> problems_;
};

}  // namespace

std::vector<ForkProblem> find_fork_problems(Session& session, const std::vector<ForkEvent>& events) {
  if (events.empty()) return {};
  std::bitset<stack_entries> used;
  for (const ForkEvent& event : events) {
    if (event.kind == Kind::split) used.set(event.csp_before);
  }
  const core::Machine& machine = session.machine();
  StackWatch watch(session, events);
  session.visit(
      [&](u64 address) {
        const auto instruction = machine.instruction_at(address);
        if (!instruction) return false;
        if (is_fork(*instruction) || is_join(*instruction) || may_write(*instruction, mode_register)) return true;
        for (u32 entry = 0; entry < stack_entries; ++entry) {
          const Location place = entry_registers(entry);
          if (used.test(entry) &&
              (may_write(*instruction, place) || may_read(*instruction, place, machine.allocated_sgprs()))) {
            return true;
          }
        }
        return false;
      },
      [&](const std::function<void()>& step) { watch.visit(step); });
  return watch.finish();
}

}  // namespace salu::debug
