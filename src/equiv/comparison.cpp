#include <salu/equivalence.hpp>

#include <algorithm>
#include <chrono>

#include "core/text.hpp"
#include "equiv/code_map.hpp"
#include "equiv/discovery.hpp"
#include "equiv/draw.hpp"
#include "equiv/outputs.hpp"
#include "equiv/parting.hpp"
#include "equiv/reproducer.hpp"
#include "equiv/shrink.hpp"
#include "equiv/side.hpp"

namespace salu {
namespace equiv {
namespace {

using Clock = std::chrono::steady_clock;

/// How many runs come first to find inputs and outputs.
constexpr u64 trial_states = 256;
/// A program that reaches the step limit alone gets so many times as many steps before that counts.
constexpr u64 second_patience = 10;

std::vector<u64> constants_of(const CodeMap& a, const CodeMap& b) {
  std::vector<u64> constants = a.constants();
  constants.insert(constants.end(), b.constants().begin(), b.constants().end());
  std::ranges::sort(constants);
  const auto rest = std::ranges::unique(constants);
  constants.erase(rest.begin(), rest.end());
  return constants;
}

class Comparison {
 public:
  Comparison(const Scenario& a, const Scenario& b, const EquivalenceOptions& options)
      : programs_{&a, &b},
        options_(options),
        sides_{Side(a, 0, options.max_steps), Side(b, 1, options.max_steps)},
        maps_{CodeMap(a.program), CodeMap(b.program)},
        constants_(constants_of(maps_[0], maps_[1])),
        discovery_(programs_),
        chooser_(programs_) {}

  Result<EquivalenceReport> run() {
    const auto start = Clock::now();
    if (auto error = read_inputs()) return *error;
    const Result<OutputChoice> choice = parse_outputs(options_.outputs, programs_);
    if (!choice) return choice.error();
    make_trial_runs();
    sort_found_inputs();
    if (options_.outputs.empty()) {
      set_ = chooser_.choose(discovery_, report_.not_compared);
    } else {
      set_.outputs = choice->outputs;
      set_.all_memory = choice->all_memory;
      set_.stop_suffices = choice->stop;
      report_.not_compared.emplace_back("what --outputs does not name");
    }
    set_.compare_faults = options_.compare_faults;
    for (const Scenario* program : programs_) {
      if (program->expect && program->expect->stop && !set_.expected_stop) set_.expected_stop = program->expect->stop;
    }
    main_runs(start);
    finish();
    report_.elapsed_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(report_);
  }

 private:
  /// Sets the inputs up. Returns what is wrong with the options.
  std::optional<Error> read_inputs() {
    for (const std::string& text : options_.exhaustive) {
      const Result<std::vector<Input>> inputs = parse_inputs(text, "--exhaustive", programs_);
      if (!inputs) return inputs.error();
      if (auto error = add_inputs(*inputs, "--exhaustive " + text)) return error;
    }
    exhaustive_ = inputs_.size();
    for (const std::string& text : options_.inputs) {
      const Result<std::vector<Input>> inputs = parse_inputs(text, "--inputs", programs_);
      if (!inputs) return inputs.error();
      if (auto error = add_inputs(*inputs, "--inputs " + text)) return error;
    }
    const std::span<const Input> all(inputs_);
    combinations_.emplace(all.first(exhaustive_));
    if (combinations_->count() == 0) {
      return Error{ErrorCode::usage, {"--exhaustive"}, "more than 2^32 combinations; take smaller ranges", {}};
    }
    // What is not named stays as it is.
    if (!inputs_.empty()) return std::nullopt;
    const bool is_kernel = !programs_[0]->arguments.empty() || !programs_[1]->arguments.empty();
    if (is_kernel) inputs_ = argument_inputs(programs_, report_.not_varied);
    find_inputs_ = !is_kernel;
    return std::nullopt;
  }

  std::optional<Error> add_inputs(const std::vector<Input>& inputs, const std::string& where) {
    for (const Input& input : inputs) {
      if (std::ranges::any_of(inputs_, [&](const Input& other) { return overlap(other.place, input.place); })) {
        return Error{ErrorCode::usage, {where}, "`" + input.place.name + "` is varied already", {}};
      }
      inputs_.push_back(input);
    }
    return std::nullopt;
  }

  static bool overlap(const Place& left, const Place& right) {
    if (left.is_memory != right.is_memory) return false;
    if (left.is_memory) {
      return left.addresses[0] < right.addresses[0] + right.size_bytes &&
             right.addresses[0] < left.addresses[0] + left.size_bytes;
    }
    const RegisterName& a = left.registers[0];
    const RegisterName& b = right.registers[0];
    if (a.kind != b.kind || a.kind != RegisterName::Kind::file) return a == b;
    return a.first < b.first + b.width / 32U && b.first < a.first + a.width / 32U;
  }

  void run_sides(std::span<const u64> values) {
    patience_ = 1;
    for (Side& side : sides_) side.run(inputs_, values);
    const bool a_limited = sides_[0].reason() == StopReason::step_limit;
    const bool b_limited = sides_[1].reason() == StopReason::step_limit;
    if (a_limited == b_limited) return;
    patience_ = second_patience;
    sides_[a_limited ? 0 : 1].run(inputs_, values, patience_);
  }

  /// Marks what ran; true when something did for the first time.
  bool mark_executed() {
    bool any = false;
    for (const std::size_t side : both_sides) {
      sides_[side].visit_executed([&](u64 address) { any = maps_[side].mark(address) || any; });
    }
    return any;
  }

  /// Looks on at the last runs, and takes up the inputs that were not known.
  void watch() {
    for (const Side& side : sides_) {
      for (Input& found : discovery_.watch(side, inputs_)) {
        if (find_inputs_) {
          inputs_.push_back(std::move(found));
        } else {
          discovery_.note_not_varied(found.place.name, "nothing gives a value, so 0");
        }
      }
    }
  }

  void make_trial_runs() {
    constexpr u64 watched_anyway = 4;
    Draw draw(options_.seed, constants_);
    const u64 count = std::min(trial_states, total_states());
    for (u64 state = 0; state < count; ++state) {
      std::vector<u64> values(inputs_.size());
      fill(draw, state, values);
      run_sides(values);
      if (mark_executed() || state < watched_anyway) watch();
      if (is_regular_end(sides_[0].reason()) && is_regular_end(sides_[1].reason())) {
        chooser_.watch(sides_[0], sides_[1]);
      }
    }
  }

  /// In the order of the registers, whatever the order in which they were found: halves of one value come together.
  void sort_found_inputs() {
    if (!find_inputs_) return;
    const auto key = [](const Input& input) {
      const RegisterName& name = input.place.registers[0];
      return std::pair{name.kind, name.first};
    };
    std::ranges::stable_sort(inputs_, {}, key);
  }

  [[nodiscard]] u64 total_states() const {
    if (exhaustive_ != 0) return combinations_->count();
    // Without anything to vary, every run is the same.
    return inputs_.empty() && !find_inputs_ ? 1 : options_.states;
  }

  void fill(Draw& draw, u64 state, std::span<u64> values) const {
    const std::span<const Input> inputs(inputs_);
    if (exhaustive_ != 0) combinations_->fill(state, values.first(exhaustive_));
    draw.fill(inputs.subspan(exhaustive_), state, values.subspan(exhaustive_));
  }

  void main_runs(Clock::time_point start) {
    constexpr u64 states_between_looks = 256;
    Draw draw(options_.seed, constants_);
    std::vector<u64> values;
    const u64 count = inputs_.empty() && exhaustive_ == 0 ? std::min<u64>(total_states(), 1) : total_states();
    report_.combinations = exhaustive_ != 0 ? count : 0;
    for (u64 state = 0; state < count; ++state) {
      if (options_.seconds && state % states_between_looks == 0 && state != 0) {
        report_.out_of_time = std::chrono::duration<double>(Clock::now() - start).count() >= *options_.seconds;
        if (report_.out_of_time) return;
      }
      values.resize(inputs_.size());
      fill(draw, state, values);
      run_sides(values);
      ++report_.states;
      if (mark_executed()) watch();
      for (const std::size_t side : both_sides) ++stops_[side][static_cast<std::size_t>(sides_[side].reason())];
      const Judgement judgement = judge(sides_[0], sides_[1], set_);
      if (judgement.kind == Judgement::Kind::skipped) {
        ++report_.skipped[std::string(judgement.why)];
        continue;
      }
      ++report_.compared;
      note_memory();
      if (!judgement.differs()) continue;
      explain(state, values, judgement.kind);
      return;
    }
  }

  void note_memory() {
    if (!set_.all_memory || (memory_changed_ && memory_left_out_)) return;
    if (!changed_memory(sides_[0]) && !changed_memory(sides_[1])) return;
    const ChangedMemory changed = find_changed(sides_[0], sides_[1]);
    memory_changed_ = memory_changed_ || !changed.dwords.empty();
    memory_left_out_ = memory_left_out_ || changed.left_out;
  }

  [[nodiscard]] std::vector<InputValue> named(std::span<const u64> values) const {
    std::vector<InputValue> named;
    for (std::size_t i = 0; i < values.size(); ++i) {
      named.push_back({inputs_[i].place.name, values[i], inputs_[i].bits});
    }
    return named;
  }

  void explain(u64 state, const std::vector<u64>& values, Judgement::Kind kind) {
    Difference& difference = report_.difference.emplace();
    difference.state = state + 1;
    // A step of 0 and the values may be of fewer inputs than there are now.
    std::vector<u64> start = values;
    start.resize(inputs_.size());
    difference.found = named(values);
    const auto keeps = [&](std::span<const u64> candidate) {
      run_sides(candidate);
      return judge(sides_[0], sides_[1], set_).kind == kind;
    };
    const std::vector<u64> shrunk = keeps(start) ? shrink(inputs_, start, keeps, difference.shrink_runs) : values;
    difference.shrunk = named(shrunk);
    run_sides(shrunk);
    difference.outputs = list_differences(sides_[0], sides_[1], set_);
    difference.hint = hint(difference);
    difference.parting = find_parting(sides_[0], sides_[1], maps_[0], maps_[1], set_);
    write_reproducer(difference);
  }

  void write_reproducer(Difference& difference) {
    // What the program never comes to only stands in the way, unless it reads it as data.
    for (const bool whole : {false, true}) {
      const std::array<std::vector<u64>, 2> addresses = {whole ? std::vector<u64>{} : maps_[0].addresses(),
                                                         whole ? std::vector<u64>{} : maps_[1].addresses()};
      difference.reproducer = make_reproducer(sides_[0], sides_[1], set_, {addresses, patience_, comment(difference)});
      difference.reproducer_problem = try_reproducer(difference.reproducer);
      if (difference.reproducer_problem.empty()) return;
    }
  }

  /// What may be behind a difference in something that nobody said was a result.
  [[nodiscard]] std::string hint(const Difference& difference) const {
    const bool is_function = entry_kind(programs_[0]->program) == EntryKind::function ||
                             entry_kind(programs_[1]->program) == EntryKind::function;
    const auto is_plain = [](const DifferingOutput& output) {
      return output.name != "s0" && output.name != "stop" && !output.name.starts_with("memory");
    };
    if (!options_.outputs.empty() || programs_[0]->expect || programs_[1]->expect) return {};
    if (!std::ranges::all_of(difference.outputs, is_plain)) return {};
    return is_function
               ? "nothing says which registers hold results; if this one is a temporary, name the results: --outputs s0"
               : "all registers that the programs write were compared; --outputs names those that matter";
  }

  [[nodiscard]] std::vector<std::string> comment(const Difference& difference) const {
    std::vector<std::string> lines = {
        "Written by salu equiv: A and B differ. Both expect what A leaves, so that B fails:",
        "  salu run --check THIS_FILE"};
    std::string inputs;
    for (const InputValue& input : difference.shrunk) {
      inputs += (inputs.empty() ? "" : ", ") + input.name + " = " + core::hex(input.value);
    }
    if (!inputs.empty()) lines.push_back("inputs: " + inputs);
    for (const DifferingOutput& output : difference.outputs) {
      lines.push_back(output.a.empty() ? output.name : output.name + ": " + output.a + " in A, " + output.b + " in B");
    }
    // A message of a program may hold anything.
    for (std::string& line : lines) std::ranges::replace(line, '\n', ' ');
    return lines;
  }

  void finish() {
    report_.seed = options_.seed;
    for (const Input& input : inputs_) report_.varied.push_back(input.describe());
    for (const std::string& text : discovery_.not_varied()) report_.not_varied.push_back(text);
    for (const Output& output : set_.outputs) {
      std::string text = output.place.name;
      const bool is_part = !output.place.is_memory && output.mask != low_bits(output.place.registers[0].width);
      if (is_part) text += " (mask " + core::hex(output.mask) + ")";
      report_.outputs.push_back(std::move(text));
    }
    if (set_.all_memory) {
      report_.outputs.emplace_back(memory_changed_ ? "all memory that either wrote" : "memory (neither wrote any)");
    }
    if (memory_left_out_)
      report_.not_compared.emplace_back("memory that is code, or that only one of the programs has");
    report_.outputs.emplace_back("how it ended");
    for (const std::size_t side : both_sides) {
      ProgramReport& program = report_.programs[side];
      program.name = programs_[side]->name;
      program.target = programs_[side]->program.target->name;
      program.executed = maps_[side].executed();
      program.reachable = maps_[side].reachable();
      program.never_executed = maps_[side].never_executed();
      for (std::size_t reason = 0; reason < stops_[side].size(); ++reason) {
        if (stops_[side][reason] == 0) continue;
        program.stops[std::string(stop_reason_name(static_cast<StopReason>(reason)))] = stops_[side][reason];
      }
    }
    const bool anything = report_.compared != 0 && (set_.has_definite() || memory_changed_);
    report_.verdict = report_.difference ? Verdict::different : anything ? Verdict::equal : Verdict::nothing_compared;
  }

  Programs programs_;
  const EquivalenceOptions& options_;
  std::array<Side, 2> sides_;
  std::array<CodeMap, 2> maps_;
  std::vector<u64> constants_;
  Discovery discovery_;
  OutputChooser chooser_;

  std::vector<Input> inputs_;  ///< the exhaustive ones first
  std::size_t exhaustive_ = 0;
  bool find_inputs_ = false;
  std::optional<Combinations> combinations_;
  OutputSet set_;
  u64 patience_ = 1;
  bool memory_changed_ = false;
  bool memory_left_out_ = false;  ///< written, but not memory of both
  std::array<std::array<u64, static_cast<std::size_t>(StopReason::warning) + 1>, 2> stops_{};
  EquivalenceReport report_;
};

}  // namespace
}  // namespace equiv

Result<EquivalenceReport> compare_programs(const Scenario& a, const Scenario& b, const EquivalenceOptions& options) {
  return equiv::Comparison(a, b, options).run();
}

}  // namespace salu
