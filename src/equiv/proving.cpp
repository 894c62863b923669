#include <salu/proof.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "equiv/comparison.hpp"
#include "equiv/explanation.hpp"
#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "proof/execution.hpp"
#include "proof/solvers.hpp"
#include "support/numbers.hpp"

/// What has been compared on some inputs is executed over symbols, and compared for all of them.
namespace salu {
namespace equiv {
namespace {

using proof::Ending;
using proof::SolverAnswer;
using proof::TermId;

/// A question on the way only saves work: so long may one take, and such a part of the time all of them.
constexpr double seconds_on_the_way = 1;
constexpr double share_on_the_way = 0.5;
/// The last question gets so many seconds, whatever is left.
constexpr double least_seconds = 1;
/// How long a counterexample is made simpler.
constexpr double shrink_seconds = 10;
/// Inputs of so few bits in all are tried one and all where nothing else says whether the programs are the same.
constexpr u32 most_bits_to_try = 32;

class Proof {
 public:
  Proof(const ComparedPrograms& compared, const ProofOptions& options, ProofReport& report)
      : compared_(compared),
        options_(options),
        report_(report),
        end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds))) {}

  void run() {
    begin();
    if (report_.obstacles.empty()) {
      for (const std::size_t side : both_sides) endings_[side] = follow(side);
      // What no instruction has read is no input, and what neither program has written is no result of theirs.
      for (proof::SymbolicStart& start : starts_) start.unset = nullptr;
      judge_endings();
    }
  }

 private:
  [[nodiscard]] const Scenario& scenario(std::size_t side) const { return compared_.pair.sides()[side].scenario(); }

  // ---- where both begin ----

  void begin() {
    for (const std::size_t side : both_sides) {
      proof::SymbolicStart& start = starts_[side];
      start.program = &scenario(side).program;
      start.initial = &scenario(side).initial;
      start.memory = &scenario(side).memory;
      start.runs_vector = compared_.pair.sides()[side].options().on_vector == OnVector::run;
      if (compared_.finds_inputs) start.unset = [this, side](u32 index) { return unset(side, index); };
    }
    for (std::size_t i = 0; i < compared_.inputs.size(); ++i) add(i);
    note_assumptions();
  }

  /// The symbol for an input, put where the programs find it.
  void add(std::size_t number) {
    const Input& input = compared_.inputs[number];
    const TermId symbol = terms_.input(input.bits, static_cast<u32>(number));
    if (!input.is_whole()) {
      const TermId distance = terms_.subtract(symbol, terms_.constant(input.bits, input.first));
      const TermId is_outside = terms_.below(terms_.constant(input.bits, input.span), distance);
      assume(terms_.bit_not(is_outside));
    }
    for (const std::size_t side : both_sides) {
      if (input.place.is_memory) {
        for (u32 byte = 0; byte < input.place.size_bytes; ++byte) {
          const TermId part = 8 * byte < input.bits ? terms_.slice(symbol, 8 * byte, 8) : terms_.constant(8, 0);
          starts_[side].bytes[input.place.addresses[side] + byte] = part;
        }
      } else {
        put(starts_[side], input.place.registers[side], symbol);
      }
    }
  }

  void assume(TermId condition) {
    allowed_ = terms_.bit_and(allowed_, condition);
    for (proof::SymbolicStart& start : starts_) start.assumed.push_back(condition);
  }

  void put(proof::SymbolicStart& start, const RegisterName& name, TermId symbol) {
    if (name.index == state_index::scc) {
      start.registers[name.index] = terms_.slice(symbol, 0, 1);
      return;
    }
    const TermId word = terms_.zero_extend(symbol, std::max<u32>(name.width, terms_.width(symbol)));
    if (name.width < 32) {
      const u64 before = read_register(*start.initial, {name.index, 32});
      const u32 end = name.low_bit + u32{name.width};
      TermId dword = word;
      if (end < 32) dword = terms_.join(terms_.constant(32 - end, before >> end), dword);
      if (name.low_bit != 0) dword = terms_.join(dword, terms_.constant(name.low_bit, before));
      start.registers[name.index] = dword;
      return;
    }
    for (u32 i = 0; i < name.width / 32U; ++i) start.registers[name.index + i] = terms_.slice(word, 32 * i, 32);
  }

  /// A register that nothing has given a value, and that no run has read: one more input.
  std::optional<TermId> unset(std::size_t side, u32 index) {
    if (const auto known = unset_[side].find(index); known != unset_[side].end()) return known->second;
    std::optional<Place> place;
    if (state_index::is_lane(index)) {
      std::vector<Place> lanes =
          lane_places(compared_.pair.sides()[0].scenario(), compared_.pair.sides()[1].scenario(), index);
      if (!lanes.empty()) place = std::move(lanes.front());
    } else if (index == state_index::scc) {
      place = Place{"scc", false, {RegisterName{index, 1}, RegisterName{index, 1}}};
    } else if (is_varied(index)) {
      place = file_place({&scenario(0), &scenario(1)}, side, index, 1);
    }
    if (!place) return std::nullopt;
    const u32 bits = index == state_index::scc ? 1 : 32;
    const auto number = static_cast<u32>(compared_.inputs.size());
    const TermId symbol = terms_.input(bits, number);
    for (const std::size_t each : both_sides) unset_[each][place->registers[each].index] = symbol;
    compared_.inputs.push_back({std::move(*place), bits, 0, low_bits(bits)});
    return symbol;
  }
  /// As the runs have it: EXEC, MODE and what a trap handler knows stay as they are.
  static bool is_varied(u32 index) { return index < code::vcc + 2 || index == code::m0; }
  static std::vector<Place> lane_places(const Scenario& a, const Scenario& b, u32 index) {
    constexpr u32 most_arguments = 32;
    const u32 vgpr = state_index::vector_of(index);
    if (vgpr >= most_arguments) return {};
    return equiv::lane_places({&a, &b}, vgpr, u64{1} << state_index::lane_of(index));
  }

  void note_assumptions() {
    for (const Input& input : compared_.inputs) {
      if (!input.is_whole()) report_.assumptions.push_back(input.describe());
    }
    report_.assumptions.emplace_back("what is no input is as the state has it: EXEC, MODE, registers with values");
    report_.assumptions.emplace_back("memory that is no input holds what was loaded");
  }

  // ---- what they come to ----

  std::vector<Ending> follow(std::size_t side) {
    proof::ExecutionLimits limits;
    limits.rounds = options_.rounds;
    limits.is_over = [this] { return seconds_left() <= 0; };
    return proof::execute(terms_, starts_[side], limits, [this](TermId condition) { return is_feasible(condition); });
  }

  /// Whether an input that is allowed fulfils a condition; yes where nobody knows.
  bool is_feasible(TermId condition) {
    const TermId all = terms_.bit_and(allowed_, condition);
    if (terms_.is_constant(all)) return terms_.value(all) != 0;
    if (find_sample(all)) return true;
    const double seconds = std::min(seconds_left() - (1 - share_on_the_way) * options_.seconds, seconds_on_the_way);
    return seconds <= 0 || ask(all, seconds).kind != SolverAnswer::Kind::never;
  }
  [[nodiscard]] double seconds_left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

  /// Values of the inputs that fulfil a condition, among some that are tried.
  std::optional<std::vector<u64>> find_sample(TermId condition) {
    while (samples_.size() < sample_count) {
      std::vector<u64> values(compared_.inputs.size());
      for (u64& value : values) value = draw();
      samples_.push_back(std::move(values));
    }
    for (std::vector<u64>& sample : samples_) {
      while (sample.size() < compared_.inputs.size()) sample.push_back(draw());
      if (proof::Evaluation(terms_, sample).value(condition) != 0) return sample;
    }
    return std::nullopt;
  }
  u64 draw() {
    constexpr u64 factor = 6364136223846793005;
    constexpr u64 step = 1442695040888963407;
    drawn_ = drawn_ * factor + step;
    const u64 word = drawn_ ^ drawn_ >> 29;
    switch (word >> 8 & 3) {
      case 0:
        return word >> 16 & 63;
      case 1:
        return ~u64{0} << (word >> 16 & 31);
      default:
        return word >> 13 | word << 51;
    }
  }

  SolverAnswer ask(TermId condition, double seconds) {
    if (!proof::has_products(terms_, condition)) return put_question(condition, false, seconds);
    const Clock::time_point start = Clock::now();
    SolverAnswer answer = put_question(condition, true, seconds / 2);
    if (answer.kind == SolverAnswer::Kind::never) return answer;
    return put_question(condition, false, seconds - std::chrono::duration<double>(Clock::now() - start).count());
  }
  SolverAnswer put_question(TermId condition, bool products_are_functions, double seconds) {
    const proof::SmtQuery query = proof::smt_query(terms_, condition, products_are_functions);
    ++report_.questions;
    if (options_.question) options_.question(report_.questions, query.text);
    if (!solvers_.any()) return {SolverAnswer::Kind::unknown, {}, {}, "no solver is installed (z3 or cvc5)"};
    if (products_are_functions) return solvers_.ask(query, seconds);
    return solvers_.ask(query, seconds, [&](const SolverAnswer& answer) {
      std::vector<u64> values(compared_.inputs.size());
      for (const auto& [number, value] : answer.inputs)
        values[number] = value & low_bits(compared_.inputs[number].bits);
      return proof::Evaluation(terms_, values).value(condition) != 0;
    });
  }

  /// When a side does not end in a way that can be compared.
  TermId left_out(std::size_t side, Ending::Kind kind) {
    TermId any = terms_.no();
    for (const Ending& ending : endings_[side]) {
      if (ending.kind == kind) any = terms_.bit_or(any, ending.condition);
    }
    return any;
  }

  /// What a side comes to, chosen by the way that it takes.
  template <class Value>
  TermId chosen(std::size_t side, const Value& value) {
    std::optional<TermId> term;
    for (Ending& ending : endings_[side]) {
      if (ending.kind != Ending::Kind::end) continue;
      const TermId here = value(ending);
      term = term ? terms_.select(ending.condition, here, *term) : here;
    }
    return term.value_or(terms_.no());
  }

  /// One number for all ends that count as the same.
  u64 number_of(StopReason reason) const {
    const bool is_same = can_return(scenario(0).program) != can_return(scenario(1).program);
    return is_same && reason == StopReason::returned ? static_cast<u64>(StopReason::end_program)
                                                     : static_cast<u64>(reason);
  }
  template <class Value>
  TermId differs(const Value& value) {
    return terms_.bit_not(terms_.equal(chosen(0, [&](Ending& ending) { return value(ending, std::size_t{0}); }),
                                       chosen(1, [&](Ending& ending) { return value(ending, std::size_t{1}); })));
  }

  TermId any_difference() {
    TermId any = differs([&](Ending& ending, std::size_t) { return terms_.constant(8, number_of(ending.reason)); });
    for (const Output& output : compared_.outputs.outputs) any = terms_.bit_or(any, difference_of(output));
    if (compared_.outputs.all_memory) any = terms_.bit_or(any, difference_of_memory());
    return any;
  }
  TermId difference_of(const Output& output) {
    const Place& place = output.place;
    if (place.is_memory) {
      TermId any = terms_.no();
      for (u64 byte = 0; byte < place.size_bytes; ++byte) {
        any = terms_.bit_or(any, differs([&](Ending& ending, std::size_t side) {
                              const u64 address = place.addresses[side] + byte;
                              const TermId dword = ending.state.read_dword(address & ~u64{3});
                              return terms_.slice(dword, static_cast<u32>(8 * (address & 3)), 8);
                            }));
      }
      return any;
    }
    return differs([&](Ending& ending, std::size_t side) {
      const RegisterName& name = place.registers[side];
      TermId word = ending.state.read(name.index);
      if (name.index == state_index::scc) return word;
      if (name.width == 64) word = terms_.join(ending.state.read(name.index + 1), word);
      if (name.width < 32) word = terms_.slice(word, name.low_bit, name.width);
      return terms_.bit_and(word, terms_.constant(terms_.width(word), output.mask));
    });
  }
  /// In dwords that either program may have written.
  TermId difference_of_memory() {
    std::vector<u64> addresses;
    for (const std::size_t side : both_sides) {
      for (const Ending& ending : endings_[side]) {
        const std::vector<u64> written = ending.state.written();
        addresses.insert(addresses.end(), written.begin(), written.end());
      }
    }
    std::ranges::sort(addresses);
    const auto rest = std::ranges::unique(addresses);
    addresses.erase(rest.begin(), rest.end());
    TermId any = terms_.no();
    for (const u64 address : addresses) {
      if (!is_result(address)) continue;
      any = terms_.bit_or(any, differs([&](Ending& ending, std::size_t) { return ending.state.read_dword(address); }));
    }
    return any;
  }
  [[nodiscard]] bool is_result(u64 address) const {
    return std::ranges::all_of(compared_.pair.sides(), [&](const Side& side) {
      return !is_passing_memory(side, address) && side.scenario().memory.find_region(address) != nullptr &&
             side.scenario().program.find_block(address) == nullptr;
    });
  }

  // ---- the verdict ----

  void judge_endings() {
    const TermId unknown = terms_.bit_or(left_out(0, Ending::Kind::unknown), left_out(1, Ending::Kind::unknown));
    const TermId cut = terms_.bit_or(left_out(0, Ending::Kind::cut), left_out(1, Ending::Kind::cut));
    const TermId compared = terms_.bit_and(allowed_, terms_.bit_not(terms_.bit_or(unknown, cut)));
    const bool has_ends = std::ranges::all_of(endings_, [](const std::vector<Ending>& endings) {
      return std::ranges::any_of(endings, [](const Ending& ending) { return ending.kind == Ending::Kind::end; });
    });
    if (has_ends) {
      const TermId bad = terms_.bit_and(compared, any_difference());
      const SolverAnswer answer = answer_to(bad);
      if (answer.kind == SolverAnswer::Kind::sometimes && replay(answer)) return;
      if (answer.kind == SolverAnswer::Kind::sometimes) {
        report_.obstacles.push_back(
            {{}, {}, "a counterexample of " + answer.by + " on which the programs do not differ"});
      } else if (answer.kind == SolverAnswer::Kind::unknown) {
        report_.obstacles.push_back({{}, {}, answer.why});
        for (const std::string& name : solvers_.missing())
          report_.obstacles.push_back({{}, {}, name + " is not installed"});
      }
      report_.how = answer.by;
    }
    note_unknown_ways();
    if (!report_.obstacles.empty()) return;
    report_.verdict = is_feasible(cut) ? ProofVerdict::proved_in_rounds : ProofVerdict::proved;
    report_.rounds = options_.rounds;
  }

  SolverAnswer answer_to(TermId bad) {
    if (terms_.is_constant(bad, 0)) return {SolverAnswer::Kind::never, {}, "rewriting", {}};
    if (const auto sample = find_sample(bad)) {
      SolverAnswer answer{SolverAnswer::Kind::sometimes, {}, "trying some", {}};
      for (std::size_t i = 0; i < sample->size(); ++i) answer.inputs.emplace_back(static_cast<u32>(i), (*sample)[i]);
      return answer;
    }
    return ask(bad, std::max(seconds_left(), least_seconds));
  }

  /// Runs both programs on a counterexample. True when they differ there.
  bool replay(const SolverAnswer& answer) {
    std::vector<u64> values(compared_.inputs.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = compared_.inputs[i].first;
    for (const auto& [number, value] : answer.inputs) values[number] = value & low_bits(compared_.inputs[number].bits);
    compared_.pair.use(compared_.inputs);
    if (!compared_.pair.run(values, Deadline())) return false;
    const Judgement judgement = judge(compared_.pair.a(), compared_.pair.b(), compared_.outputs);
    if (!judgement.differs()) return false;
    ++compared_.report.states;
    compared_.report.difference =
        explain(compared_.pair, compared_.outputs, {compared_.report.states, {}, values, judgement.kind},
                Deadline(shrink_seconds));
    report_.verdict = ProofVerdict::different;
    report_.how = answer.by;
    return true;
  }

  void note_unknown_ways() {
    for (const std::size_t side : both_sides) {
      for (const Ending& ending : endings_[side]) {
        if (ending.kind != Ending::Kind::unknown || !is_feasible(ending.condition)) continue;
        const Program& program = scenario(side).program;
        const u64 pc = ending.state.pc;
        std::string text;
        if (const CodeBlock* const block = program.find_block(pc); block != nullptr && pc % 4 == 0) {
          const auto first = static_cast<std::size_t>((pc - block->base) / 4);
          const Generation generation = program.generation();
          text = isa::disassemble(generation, isa::decode(generation, std::span(block->words).subspan(first)));
        }
        report_.obstacles.push_back(
            {fmt::format("{} {}", side == 0 ? 'A' : 'B', program.describe_place(pc)), text, ending.why});
      }
    }
  }

  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t sample_count = 64;

  const ComparedPrograms& compared_;
  const ProofOptions& options_;
  ProofReport& report_;
  Clock::time_point end_;
  proof::Terms terms_;
  proof::Solvers solvers_;
  std::array<proof::SymbolicStart, 2> starts_;
  std::array<std::map<u32, TermId>, 2> unset_;
  TermId allowed_ = terms_.yes();
  std::array<std::vector<Ending>, 2> endings_;
  std::vector<std::vector<u64>> samples_;
  u64 drawn_ = 1;
};

/// Texts for --exhaustive that are all values of the inputs, where these are few enough.
std::vector<std::string> all_values(const std::vector<Input>& inputs) {
  std::vector<std::string> texts;
  double bits = 0;
  for (const Input& input : inputs) {
    // Memory is not tried so, nor a range that goes around.
    if (input.place.is_memory || input.span > low_bits(input.bits) - input.first) return {};
    bits += std::log2(static_cast<double>(input.span) + 1);
    texts.push_back(fmt::format("{}={}..{}", input.place.name, input.first, input.first + input.span));
  }
  if (bits > most_bits_to_try) texts.clear();
  return texts;
}

}  // namespace
}  // namespace equiv

std::string_view proof_verdict_name(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::proved:
      return "proved";
    case ProofVerdict::proved_by_trying:
      return "proved_by_trying";
    case ProofVerdict::proved_in_rounds:
      return "proved_in_rounds";
    case ProofVerdict::different:
      return "different";
    case ProofVerdict::gave_up:
      break;
  }
  return "gave_up";
}

Result<ProofReport> prove_programs(const Scenario& a, const Scenario& b, const ProofOptions& options) {
  if (!std::isfinite(options.seconds) || options.seconds <= 0)
    return Error{ErrorCode::usage, {"--seconds"}, "expected a number above 0", {}};
  ProofReport report;
  std::vector<std::string> all;
  const auto go_on = [&](const equiv::ComparedPrograms& compared) {
    if (compared.report.difference) return;
    equiv::Proof(compared, options, report).run();
    if (!compared.report.difference) all = equiv::all_values(compared.inputs);
  };
  Result<EquivalenceReport> compared = equiv::compare(a, b, options.compare, go_on);
  if (!compared) return std::move(compared).error();
  report.compared = std::move(*compared);
  if (report.compared.difference) {
    report.verdict = ProofVerdict::different;
    if (report.how.empty()) report.how = "trying some";
    report.obstacles.clear();
    return report;
  }
  if (report.verdict != ProofVerdict::gave_up || all.empty()) return report;
  EquivalenceOptions whole = options.compare;
  whole.inputs.clear();
  whole.exhaustive = all;
  whole.seconds = options.seconds;
  Result<EquivalenceReport> tried = compare_programs(a, b, whole);
  if (!tried) return report;
  if (tried->verdict != Verdict::equal && tried->verdict != Verdict::different) return report;
  report.verdict = tried->difference ? ProofVerdict::different : ProofVerdict::proved_by_trying;
  report.how = "trying all";
  report.obstacles.clear();
  report.compared = std::move(*tried);
  return report;
}

}  // namespace salu
