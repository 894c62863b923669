#include "proof/execution.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/program_words.hpp"
#include "exec/cfg.hpp"
#include "isa/memory_table.hpp"
#include "proof/instruction_step.hpp"

namespace salu::proof {
namespace {

class Execution {
 public:
  Execution(Terms& terms, const SymbolicStart& start, const ExecutionLimits& limits, const Feasible& is_feasible)
      : terms_(terms), start_(start), limits_(limits), is_feasible_(is_feasible), wave_(*start.program) {
    wave_.load(*start.initial);
  }

  Paths run() {
    wait(SymbolicState(terms_, start_));
    while (!waiting_.empty()) {
      SymbolicState state = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      follow(std::move(state));
    }
    Paths paths{std::move(endings_)};
    for (const auto& [address, rounds] : rounds_) paths.rounds = std::max(paths.rounds, rounds);
    return paths;
  }

 private:
  /// Executes a path until it splits, ends, or reaches a merge point after which another state waits. The state with
  /// the lowest address continues first, so that states that have left a loop wait for the others.
  void follow(SymbolicState state) {
    if (wave_.traps_each()) return give_up(std::move(state), "a trap after each instruction (MODE.DEBUG_EN)");
    for (;;) {
      if (!waiting_.empty() && waiting_.begin()->first <= merge_point_of(state)) return wait(std::move(state));
      if (ends_at(state.pc)) return end(std::move(state), StopReason::returned);
      if (const char* const why = spent()) return give_up(std::move(state), why);
      if (state.steps++ >= start_.max_steps)
        return give_up(std::move(state), "more instructions than the limit of the run");
      NextStep next = step(state);
      if (next.kind == NextStep::Kind::unknown) return give_up(std::move(state), std::move(next.why));
      if (next.except && !leave_out(state, *next.except, next.why)) return;
      if (next.kind == NextStep::Kind::end) return end(std::move(state), next.reason);
      if (next.condition) {
        SymbolicState other = next.other ? std::move(*next.other) : state;
        return part(std::move(state), *next.condition, next.pc, std::move(other), next.otherwise);
      }
      if (!terms_.is_constant(next.pc)) return arrive(std::move(state), next.pc);
      if (!go_to(state, terms_.value(next.pc))) return;
    }
  }

  /// Counts a step. Returns the limit that it exceeds, as an obstacle; null if it exceeds none.
  const char* spent() {
    if (steps_++ >= limits_.steps) return "more instructions than a proof executes";
    if (terms_.bytes() > limits_.most_term_bytes) return "more memory than a proof may use";
    return limits_.is_over() ? "the time limit of the proof" : nullptr;
  }

  /// The address at which states are merged, and MODE, which contains the depth of the control stack.
  using MergePoint = std::pair<u64, TermId>;
  static MergePoint merge_point_of(SymbolicState& state) { return {state.pc, state.read(state_index::mode)}; }

  NextStep step(SymbolicState& state) {
    const Program& program = *start_.program;
    const std::span<const u32> words = core::words_at(program, state.pc);
    if (words.empty()) return NextStep::give_up("an address without code");
    if (program.find_assumption(state.pc) != nullptr) return NextStep::give_up("an instruction with assumed effects");
    if (program.kernel_end && program.kernel_end->address == state.pc)
      return NextStep::give_up("the end of the kernel's code");
    if (start_.memory->read_dword(state.pc) != words[0])
      return NextStep::give_up("code that the initial memory overwrites");
    const exec::CfgNode node = exec::CfgNode::at(wave_.generation, state.pc, words);
    const isa::Instruction& instruction = node.instruction;
    if (program.find_unresolved(state.pc, u64{instruction.dwords} * 4) != nullptr)
      return NextStep::give_up("a symbol that is not defined, or an instruction that is not encoded");
    if (instruction.encoding == isa::EncodingClass::vector && !start_.runs_vector)
      return NextStep::give_up("a vector instruction, which `on_vector` does not run");
    if (instruction.encoding == isa::EncodingClass::vector) return step_vector(terms_, state, wave_, instruction);
    if (instruction.encoding != isa::EncodingClass::scalar) return NextStep::give_up("an illegal instruction");
    if (isa::find_operand_fault(wave_.generation, instruction)) return NextStep::give_up("an illegal operand");
    if (isa::is_scalar_memory(instruction.insn)) return step_memory(terms_, state, wave_, instruction);
    NextStep next = step_scalar(terms_, state, wave_, instruction);
    if (limits_.turn) note_turns(state, node, next);
    return next;
  }

  void note_turns(SymbolicState& state, const exec::CfgNode& node, const NextStep& next) {
    if (next.kind == NextStep::Kind::unknown) return;
    const TermId here = state.path.condition(terms_);
    const auto note = [&](Turn::Kind kind, TermId is_yes) {
      for (const bool yes : {false, true})
        limits_.turn({state.pc, kind, yes, terms_.bit_and(here, yes ? is_yes : terms_.bit_not(is_yes))});
    };
    // A branch to the next instruction has only one direction, whatever it depends on.
    const bool is_branch_if = node.flow == isa::Flow::branch_if && node.target != node.next;
    if (next.condition || is_branch_if) {
      const TermId is_taken = terms_.bit_not(terms_.equal(next.pc, terms_.constant(64, node.next)));
      note(Turn::Kind::branch, next.condition.value_or(is_taken));
    }
    if (isa::info(node.instruction.insn).writes_any(isa::effect::scc))
      note(Turn::Kind::scc, state.read(state_index::scc));
  }

  /// Excludes the inputs for which `except` holds. Returns false if no inputs remain.
  bool leave_out(SymbolicState& state, TermId except, const std::string& why) {
    if (terms_.is_constant(except, 0)) return true;
    SymbolicState left = state;
    left.path.add(terms_, except);
    if (!terms_.is_constant(left.path.condition(terms_), 0)) give_up(std::move(left), why);
    state.path.add(terms_, terms_.bit_not(except));
    return !terms_.is_constant(state.path.condition(terms_), 0);
  }

  [[nodiscard]] bool ends_at(u64 pc) const {
    return start_.program->function_end == pc || start_.program->return_address == pc;
  }

  /// Continues on two paths.
  void part(SymbolicState state, TermId condition, TermId yes, SymbolicState other, TermId no) {
    other.path.add(terms_, terms_.bit_not(condition));
    state.path.add(terms_, condition);
    arrive(std::move(state), yes);
    arrive(std::move(other), no);
  }

  /// Continues at an address that depends on conditions: splits the path by one condition after the other.
  void arrive(SymbolicState state, TermId pc) {
    std::vector<std::pair<SymbolicState, TermId>> ways;
    ways.emplace_back(std::move(state), pc);
    while (!ways.empty()) {
      auto [here, address] = std::move(ways.back());
      ways.pop_back();
      if (terms_.is_constant(address)) {
        if (go_to(here, terms_.value(address))) wait(std::move(here));
        continue;
      }
      const std::optional<TermId> condition = find_choice(address);
      const char* const why = condition ? spent() : "a jump to an address that depends on the inputs";
      if (why != nullptr) {
        give_up(std::move(here), why);
        continue;
      }
      SymbolicState other = here;
      other.path.add(terms_, terms_.bit_not(*condition));
      here.path.add(terms_, *condition);
      ways.emplace_back(std::move(other), terms_.substitute(address, *condition, terms_.no()));
      ways.emplace_back(std::move(here), terms_.substitute(address, *condition, terms_.yes()));
    }
  }

  /// Returns a condition that the address depends on: an outermost one, because splitting by the many conditions inside
  /// it would decide less.
  [[nodiscard]] std::optional<TermId> find_choice(TermId address) const {
    std::vector<TermId> waiting = {address};
    std::unordered_set<TermId> seen;
    while (!waiting.empty()) {
      const TermId term = waiting.back();
      waiting.pop_back();
      if (terms_.is_constant(term) || !seen.insert(term).second) continue;
      const Op op = terms_.node(term).op;
      if (op == Op::select) return terms_.operands(term).front();
      if (terms_.width(term) == 1 && op != Op::slice && op != Op::input) return term;
      const std::span<const TermId> operands = terms_.operands(term);
      waiting.insert(waiting.end(), operands.begin(), operands.end());
    }
    return std::nullopt;
  }

  /// Sets the PC. Returns false if the path ends: it is infeasible, or the loop has reached the limit of rounds.
  bool go_to(SymbolicState& state, u64 address) {
    address &= wave_.address_mask;
    const bool goes_back = address <= state.pc;
    const u64 from = state.pc;
    state.pc = address;
    const TermId condition = state.path.condition(terms_);
    if (terms_.is_constant(condition, 0)) return false;
    if (!goes_back || terms_.is_constant(condition, 1) || known_.contains(condition)) return true;
    if (!is_feasible_(condition)) return false;
    known_.insert(condition);
    if (rounds_[from]++ < limits_.rounds) return true;
    endings_.push_back({Ending::Kind::cut, {}, condition, std::move(state), {}});
    return false;
  }

  void wait(SymbolicState state) {
    const MergePoint point = merge_point_of(state);
    const auto found = waiting_.find(point);
    if (found == waiting_.end()) {
      waiting_.emplace(point, std::move(state));
    } else {
      found->second.meet(state);
    }
  }

  void end(SymbolicState state, StopReason reason) {
    if (state.may_be_full()) return give_up(std::move(state), "stores that exceed the memory limit of the run");
    const TermId condition = state.path.condition(terms_);
    endings_.push_back({Ending::Kind::end, reason, condition, std::move(state), {}});
  }
  void give_up(SymbolicState state, std::string why) {
    const TermId condition = state.path.condition(terms_);
    endings_.push_back({Ending::Kind::unknown, {}, condition, std::move(state), std::move(why)});
  }

  Terms& terms_;
  const SymbolicStart& start_;
  const ExecutionLimits& limits_;
  const Feasible& is_feasible_;
  core::Wave wave_;
  std::map<MergePoint, SymbolicState> waiting_;
  std::map<u64, u32> rounds_;         ///< by the address of the backward branch
  std::unordered_set<TermId> known_;  ///< conditions that are known to be feasible
  std::vector<Ending> endings_;
  u64 steps_ = 0;
};

}  // namespace

Paths execute(Terms& terms, const SymbolicStart& start, const ExecutionLimits& limits, const Feasible& is_feasible) {
  return Execution(terms, start, limits, is_feasible).run();
}

}  // namespace salu::proof
