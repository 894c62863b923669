#include "equiv/comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "equiv/case_rows.hpp"
#include "equiv/discovery.hpp"
#include "equiv/draw.hpp"
#include "equiv/explanation.hpp"
#include "equiv/live_registers.hpp"
#include "equiv/many_pairs.hpp"
#include "equiv/outputs.hpp"
#include "equiv/own_memory.hpp"
#include "equiv/run_pair.hpp"
#include "equiv/varied_inputs.hpp"
#include "support/numbers.hpp"

namespace salu {
namespace equiv {
namespace {

/// The number of trial runs, which find inputs and outputs.
constexpr u64 trial_states = 256;
/// The shares of `seconds` that trial runs may take, and that shrinking may take in addition.
constexpr double trial_share = 0.5;
constexpr double shrink_share = 0.25;

std::vector<u64> constants_of(const CodeMap& a, const CodeMap& b) {
  std::vector<u64> constants = a.constants();
  constants.insert(constants.end(), b.constants().begin(), b.constants().end());
  std::ranges::sort(constants);
  const auto rest = std::ranges::unique(constants);
  constants.erase(rest.begin(), rest.end());
  return constants;
}

/// Returns an error if only one of the programs runs several waves: a single wave has other results.
std::optional<Error> find_launch_problem(const Scenario& a, const Scenario& b) {
  if (a.runs_several_waves() == b.runs_several_waves()) return std::nullopt;
  const bool is_a = a.runs_several_waves();
  const u64 count = (is_a ? a : b).wave_count();
  if (count == 1) return std::nullopt;
  return Error{ErrorCode::usage,
               {(is_a ? b : a).file},
               fmt::format("{} runs {} waves, and {} only one; add `waves: all` to `kernel:` of both scenarios",
                           is_a ? "A" : "B", count, is_a ? "B" : "A"),
               {}};
}

/// ` (f32, up to 2 ulps apart)`.
std::string floats_text(const std::optional<FloatComparison>& floats) {
  if (!floats) return {};
  const std::string name(float_format_name(floats->format));
  return floats->ulps == 0 ? " (" + name + ")"
                           : fmt::format(" ({}, up to {} apart)", name, support::counted(floats->ulps, "ulp"));
}

class Comparison {
 public:
  Comparison(const Scenario& a, const Scenario& b, const EquivalenceOptions& options, const GoOn& go_on)
      : programs_{&a, &b},
        go_on_(go_on),
        options_(options),
        pair_(programs_, options.max_steps),
        constants_(constants_of(pair_.maps()[0], pair_.maps()[1])),
        discovery_(programs_),
        chooser_(programs_) {}

  Result<EquivalenceReport> run() {
    if (options_.seconds && !(std::isfinite(*options_.seconds) && *options_.seconds > 0)) {
      return Error{ErrorCode::usage, {"--max-time"}, "expected a number above 0", {}};
    }
    deadline_ = deadline();
    Result<VariedInputs> varied = read_inputs(options_, programs_, report_.not_varied);
    if (!varied) return std::move(varied).error();
    varied_ = std::move(*varied);
    Result<Assumptions> assumptions = Assumptions::parse(options_.assume, *programs_[0]);
    if (!assumptions) return std::move(assumptions).error();
    assumptions_ = std::move(*assumptions);
    Result<CaseRows> rows = CaseRows::of(programs_);
    if (!rows) return std::move(rows).error();
    rows_ = std::move(*rows);
    if (auto error = fixed_problem(options_.fixed, programs_, rows_.columns())) return *std::move(error);
    const Result<OutputChoice> choice = parse_outputs(options_.outputs, programs_, options_.ulps);
    if (!choice) return choice.error();
    make_trial_runs();
    choose_outputs(*choice);
    take_live_registers();
    sort_found_inputs();
    main_runs();
    if (go_on_) go_on();
    finish();
    return std::move(report_);
  }

 private:
  [[nodiscard]] Deadline deadline(double share = 1) const {
    return {options_.seconds ? std::optional(*options_.seconds * share) : std::nullopt, options_.is_cancelled};
  }

  /// Analyses the last runs, and adds new inputs.
  void watch() {
    for (const Side& side : pair_.sides()) {
      for (Input& found : discovery_.watch(side, varied_.inputs)) {
        if (varied_.finds_others) {
          varied_.inputs.push_back(std::move(found));
        } else if (!varies(rows_.columns(), found.place)) {
          discovery_.note_not_varied(found.place.name, "not set, so 0");
          depends_on_unvaried_ = true;
        }
      }
    }
  }

  void make_trial_runs() {
    constexpr u64 watched_anyway = 4;
    Deadline deadline = this->deadline(trial_share);
    Draw draw(options_.seed, constants_);
    const u64 rows = std::min<u64>(trial_states, rows_.count());
    const u64 count = rows + std::min(trial_states, drawn_states());
    std::vector<u64> values;
    for (u64 state = 0; state < count; ++state) {
      if (state < rows) {
        pair_.use(rows_.fill(static_cast<std::size_t>(state), values));
      } else {
        if (state == rows || values.size() != varied_.inputs.size()) use_inputs(values);
        fill(draw, state - rows, values);
      }
      if (!pair_.run(values, deadline)) return;
      if (pair_.mark_executed() || state < watched_anyway) watch();
      const bool is_regular = is_regular_end(pair_.a().reason()) && is_regular_end(pair_.b().reason());
      if (is_regular && assumptions_.hold(pair_.a())) {
        chooser_.watch(pair_.a(), pair_.b(), discovery_);
      }
      if (deadline.is_over_after(pair_.steps())) return;
    }
  }

  /// Calls the continuation. For it, the columns of `cases:` are inputs as well.
  void go_on() {
    const bool names_inputs = !options_.inputs.empty() || !options_.exhaustive.empty();
    for (const Input& column : rows_.columns()) {
      if (!names_inputs && !varies(varied_.inputs, column.place)) varied_.inputs.push_back(column);
    }
    go_on_({pair_, varied_.inputs, set_, assumptions_, names_inputs, report_});
  }

  /// Varies registers whose initial values may matter on paths that no run has taken, or notes them as not varied.
  void take_live_registers() {
    if (pair_.runs_several_waves()) {
      depends_on_unvaried_ = true;  // the registers at the start of the waves differ
      return;
    }
    LiveRegisters found = find_live_registers(programs_, set_);
    depends_on_unvaried_ = depends_on_unvaried_ || !found.is_complete;
    for (LiveRegister& live : found.registers) {
      const auto is_varied = [&](const Place& place) {
        return varies(varied_.inputs, place) || varies(rows_.columns(), place);
      };
      if (!live.places.empty() && std::ranges::all_of(live.places, is_varied)) continue;
      if (varied_.finds_others && live.is_input && !live.places.empty()) {
        for (Place& place : live.places) {
          if (!is_varied(place)) varied_.inputs.push_back(whole_input(std::move(place)));
        }
        continue;
      }
      depends_on_unvaried_ = true;
      if (live.is_input)
        discovery_.note_not_varied(live.name, live.places.empty() ? "read, but it cannot be varied" : "not set, so 0");
    }
  }

  /// Sorts found inputs by register, so that the halves of a value are adjacent.
  void sort_found_inputs() {
    if (!varied_.finds_others) return;
    const auto key = [](const Input& input) {
      const RegisterName& name = input.place.registers[0];
      return std::pair{name.index, name.low_bit};
    };
    std::ranges::stable_sort(varied_.inputs, {}, key);
  }

  void choose_outputs(const OutputChoice& choice) {
    if (options_.outputs.empty()) {
      set_ = chooser_.choose(discovery_, report_.not_compared);
    } else {
      set_.outputs = choice.outputs;
      set_.all_memory = choice.all_memory;
      set_.memory_floats = choice.memory_floats;
      set_.stop_suffices = choice.stop;
      set_.is_named = true;
      report_.not_compared.emplace_back("everything not named by --outputs");
    }
    if (go_on_) compare_all_bits();
    set_.compare_faults = options_.compare_faults;
    set_.expected_stops = expected_stops(programs_);
    if (!assumptions_.empty()) set_.assumed = &assumptions_;
  }

  /// A proof does not know distances of floats.
  void compare_all_bits() {
    set_.memory_floats.reset();
    for (Output& output : set_.outputs) output.floats.reset();
  }

  /// The number of states in addition to rows.
  [[nodiscard]] u64 drawn_states() const {
    if (varied_.exhaustive != 0) return varied_.combinations->count();
    // Without inputs to vary, all runs are the same.
    return varied_.inputs.empty() && !varied_.finds_others ? 1 : options_.states;
  }

  void fill(Draw& draw, u64 state, std::span<u64> values) const {
    const std::span<const Input> inputs(varied_.inputs);
    if (varied_.exhaustive != 0) varied_.combinations->fill(state, values.first(varied_.exhaustive));
    draw.fill(inputs.subspan(varied_.exhaustive), state, values.subspan(varied_.exhaustive));
  }

  /// Switches to the current list of varied inputs.
  void use_inputs(std::vector<u64>& values) {
    pair_.use(varied_.inputs);
    values.resize(varied_.inputs.size());
  }

  void main_runs() {
    if (varied_.exhaustive != 0) report_.combinations = varied_.combinations->count();
    std::vector<u64> values;
    for (std::size_t row = 0; row < rows_.count(); ++row) {
      pair_.use(rows_.fill(row, values));
      const bool goes_on = try_state(values, rows_.name(row));
      if (!report_.out_of_time) ++report_.rows;
      if (!goes_on) return;
    }
    Draw draw(options_.seed, constants_);
    const u64 count =
        varied_.inputs.empty() && varied_.exhaustive == 0 ? std::min<u64>(drawn_states(), 1) : drawn_states();
    use_inputs(values);
    const bool combines_all = varied_.exhaustive != 0 && varied_.inputs.size() == varied_.exhaustive;
    // Start with few states, to leave time if all of them have to be examined individually.
    u64 at_once = least_states_at_once;
    for (u64 state = 0; state < count;) {
      const u64 end = std::min(count, state + at_once);
      at_once = std::min<u64>(states_at_once, at_once * 8);
      if (options_.progress) options_.progress(state, count);
      if (!prepare_many(end - state)) {
        for (; state < end; ++state) {
          if (values.size() != varied_.inputs.size()) use_inputs(values);
          fill(draw, state, values);
          if (!try_drawn(values)) return;
        }
        continue;
      }
      report_.out_of_time = deadline_.is_over();
      if (report_.out_of_time) return;
      const auto states = static_cast<std::size_t>(end - state);
      std::size_t done = 0;
      if (combines_all) {
        done = many_->run(*varied_.combinations, state, states, options_.for_each, deadline_);
      } else {
        draw_before_ = draw;
        drawn_.resize(states * varied_.inputs.size());
        for (std::size_t i = 0; i < states; ++i)
          fill(draw, state + i, std::span(drawn_).subspan(i * varied_.inputs.size(), varied_.inputs.size()));
        done = many_->run(drawn_, states, options_.for_each, deadline_);
      }
      const std::size_t taken = take_many(state, done, combines_all, values);
      if (taken == done && done < states) report_.out_of_time = true;
      if (taken == 0 || report_.out_of_time) return;
      state += taken;
      if (taken == states) continue;
      // A new input was found: it is varied from here on.
      draw = *draw_before_;
      const std::span<const Input> known = std::span<const Input>(varied_.inputs).first(values.size());
      for (std::size_t i = 0; i < taken; ++i)
        draw.fill(known.subspan(varied_.exhaustive), state - taken + i, std::span(values).subspan(varied_.exhaustive));
      use_inputs(values);
      many_is_known_ = false;
    }
  }

  /// The number of states per batch.
  static constexpr u64 states_at_once = ManyPairs::states_of_part * ManyPairs::most_parts;
  static constexpr u64 least_states_at_once = 512;
  /// The number of states after which batches are evaluated.
  static constexpr std::size_t telling_states = 8 * least_states_at_once;

  /// True if the next states can be run in a batch, and there are enough of them.
  bool prepare_many(u64 states) {
    // Assumptions are evaluated only in individual runs.
    if (states < least_states_at_once || options_.engine == Engine::scalar || !assumptions_.empty()) return false;
    if (pair_.runs_several_waves()) return false;
    if (!many_is_known_) {
      // Runs that reach the lower limit of the two are repeated individually.
      const u64 max_steps = std::min(pair_.a().max_steps(), pair_.b().max_steps());
      many_ = ManyPairs::make(programs_, varied_.inputs, set_, max_steps);
    }
    many_is_known_ = true;
    return many_ != nullptr;
  }

  /// Counts equal states, and examines the others individually. Returns the number of states done before new inputs
  /// were found; 0 if the comparison is finished.
  std::size_t take_many(u64 first, std::size_t states, bool combines_all, std::vector<u64>& values) {
    u64 looked_at = 0;
    for (std::size_t i = 0; i < states;) {
      const ManyPairs::Equal equal = many_->next_equal();
      report_.states += equal.states;
      report_.compared += equal.states;
      if (varied_.exhaustive != 0) report_.combinations_compared += equal.states;
      for (const std::size_t side : both_sides) {
        using batch::Ending;
        const auto count = [&](StopReason reason, Ending ending) {
          stops_[side][static_cast<std::size_t>(reason)] += equal.endings[side][static_cast<std::size_t>(ending)];
        };
        count(StopReason::end_program, Ending::end_program);
        count(StopReason::returned, Ending::returned);
      }
      i += static_cast<std::size_t>(equal.states);
      if (i == states) break;
      if (combines_all) {
        varied_.combinations->fill(first + i, values);
      } else {
        std::ranges::copy(std::span(drawn_).subspan(i * varied_.inputs.size(), varied_.inputs.size()), values.begin());
      }
      if (!try_drawn(values)) return 0;
      ++i;
      ++looked_at;
      if (varied_.inputs.size() != values.size()) return i;
    }
    // Batches do not help if most states have to be run again.
    if (states >= telling_states && looked_at * 2 > states) many_.reset();
    return states;
  }

  /// Tries a state that is not a row.
  bool try_drawn(const std::vector<u64>& values) {
    const u64 settled_before = report_.compared + left_out_;
    const bool goes_on = try_state(values, {});
    if (varied_.exhaustive != 0) report_.combinations_compared += report_.compared + left_out_ - settled_before;
    return goes_on;
  }

  /// Runs both programs and compares. Returns false if the comparison is finished: they differ, or time is over.
  bool try_state(const std::vector<u64>& values, const std::string& row) {
    report_.out_of_time = deadline_.is_over_after(pair_.steps()) || !pair_.run(values, deadline_);
    if (report_.out_of_time) return false;
    const std::optional<Judgement> judged = judge_runs(pair_, set_, deadline_);
    report_.out_of_time = !judged;
    if (report_.out_of_time) return false;
    ++report_.states;
    if (pair_.mark_executed()) watch();
    for (const Side& side : pair_.sides()) {
      ++stops_[side.index()][static_cast<std::size_t>(side.reason())];
      passed_over_vector_ = passed_over_vector_ || side.passed_over_vector();
    }
    const Judgement& judgement = *judged;
    if (judgement.kind == Judgement::Kind::not_assumed) {
      ++left_out_;
      ++report_.skipped["the conditions of --assume are not met"];
      return true;
    }
    if (judgement.kind == Judgement::Kind::skipped) {
      ++report_.skipped[std::string(judgement.why)];
      return true;
    }
    ++report_.compared;
    note_memory();
    if (!judgement.differs()) return true;
    const Deadline shrinking = Deadline::later_of(deadline_, deadline(shrink_share));
    report_.difference = explain(pair_, set_, {report_.states, row, values, judgement.kind}, shrinking);
    return false;
  }

  void note_memory() {
    if (!set_.all_memory || (memory_changed_ && memory_left_out_)) return;
    if (!changed_memory(pair_.a()) && !changed_memory(pair_.b())) return;
    const ChangedMemory changed = find_changed(pair_.a(), pair_.b());
    memory_changed_ = memory_changed_ || !changed.dwords.empty();
    memory_left_out_ = memory_left_out_ || changed.left_out;
  }

  void finish() {
    report_.seed = options_.seed;
    report_.draws_others = varied_.exhaustive != 0 && varied_.inputs.size() > varied_.exhaustive;
    list_inputs();
    list_outputs();
    for (const std::size_t side : both_sides) {
      const CodeMap& map = pair_.maps()[side];
      ProgramReport& program = report_.programs[side];
      program.name = programs_[side]->name;
      program.target = programs_[side]->program.target->name;
      program.waves = programs_[side]->wave_count();
      program.executed = map.executed();
      program.reachable = map.reachable();
      program.never_executed = map.never_executed();
      for (std::size_t reason = 0; reason < stops_[side].size(); ++reason) {
        if (stops_[side][reason] == 0) continue;
        program.stops[std::string(stop_reason_name(static_cast<StopReason>(reason)))] = stops_[side][reason];
      }
    }
    const bool anything = report_.compared != 0 && (set_.has_definite() || memory_changed_);
    report_.depends_on_others = depends_on_unvaried_ || memory_left_out_;
    const bool is_whole = report_.combinations_compared == report_.combinations;
    report_.verdict = report_.difference ? Verdict::different
                      : !anything        ? Verdict::nothing_compared
                      : is_whole         ? Verdict::equal
                                         : Verdict::incomplete;
  }

  void list_inputs() {
    for (std::size_t i = 0; i < varied_.inputs.size();) {
      // The parts of a buffer are consecutive: `*args.p`, `*args.p+4`.
      const std::string& name = varied_.inputs[i].place.name;
      u64 bytes = 0;
      std::size_t end = i;
      while (name.starts_with('*') && end < varied_.inputs.size() &&
             (end == i || varied_.inputs[end].place.name.starts_with(name + "+"))) {
        bytes += varied_.inputs[end++].place.size_bytes;
      }
      report_.varied.push_back(end == i ? varied_.inputs[i].describe() : fmt::format("{} ({} bytes)", name, bytes));
      i = std::max(i + 1, end);
    }
    for (const Input& column : rows_.columns()) {
      if (varies(varied_.inputs, column.place)) continue;
      discovery_.note_not_varied(column.place.name, "only the rows of `cases:` set it");
    }
    for (const std::string& text : discovery_.not_varied()) report_.not_varied.push_back(text);
    if (rows_.leaves_out_others()) report_.not_varied.emplace_back("rows of `cases:` of B: the rows of A are used");
  }

  void list_outputs() {
    const bool is_open = report_.skipped.contains(result_or_temporary);
    for (const Output& output : set_.outputs) {
      if (output.may_be_temporary && is_open) continue;
      std::string text = output.place.name;
      const bool is_part = !output.place.is_memory && output.mask != low_bits(output.place.registers[0].width);
      if (is_part) text += " (mask " + support::hex(output.mask) + ")";
      text += floats_text(output.floats);
      report_.outputs.push_back(std::move(text));
    }
    if (set_.all_memory) {
      report_.outputs.push_back(
          (memory_changed_ ? "all memory that either program wrote" : "memory (neither program wrote any)") +
          floats_text(set_.memory_floats));
    }
    report_.outputs.emplace_back("stop reason");
    if (memory_left_out_)
      report_.not_compared.emplace_back("memory that is code, or that only one of the programs has");
    if (passed_over_vector_) report_.not_compared.emplace_back("results of vector instructions, which are skipped");
  }

  Programs programs_;
  const GoOn& go_on_;
  const EquivalenceOptions& options_;
  Deadline deadline_;
  RunPair pair_;
  std::vector<u64> constants_;
  Discovery discovery_;
  OutputChooser chooser_;
  CaseRows rows_;

  VariedInputs varied_;
  OutputSet set_;
  std::unique_ptr<ManyPairs> many_;  ///< null also if batches are not possible
  bool many_is_known_ = false;
  std::optional<Draw> draw_before_;
  std::vector<u64> drawn_;  ///< random values of the inputs of these states
  Assumptions assumptions_;
  u64 left_out_ = 0;  ///< states for which the assumptions do not hold
  bool memory_changed_ = false;
  bool memory_left_out_ = false;  ///< memory was written that only one program has
  bool passed_over_vector_ = false;
  bool depends_on_unvaried_ = false;  ///< an unset register that is not varied may be read
  std::array<std::array<u64, static_cast<std::size_t>(StopReason::warning) + 1>, 2> stops_{};
  EquivalenceReport report_;
};

}  // namespace

Result<EquivalenceReport> compare(const Scenario& a, const Scenario& b, const EquivalenceOptions& options,
                                  const GoOn& go_on) {
  if (std::optional<Error> problem = find_launch_problem(a, b)) return *std::move(problem);
  return Comparison(a, b, options, go_on).run();
}

}  // namespace equiv

Result<EquivalenceReport> compare_programs(const Scenario& a, const Scenario& b, const EquivalenceOptions& options) {
  return equiv::compare(a, b, options, {});
}

}  // namespace salu
