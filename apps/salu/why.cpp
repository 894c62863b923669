#include <salu/scenario.hpp>

#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "command_line.hpp"
#include "commands.hpp"
#include "debug/session.hpp"
#include "debug/why_place.hpp"
#include "debug/why_text.hpp"
#include "exit_codes.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "output.hpp"
#include "support/numbers.hpp"
#include "why_formats.hpp"

namespace salu::app {
namespace {

enum class WhyFormat : u8 { text, json, dot };

struct WhyArguments {
  std::string file;
  std::string place;
  LoadOptions load;
  LimitTexts limits;
  loader::ScenarioChoice choice;
  std::optional<u64> wave;
  WhyFormat format = WhyFormat::text;
  u64 depth = std::numeric_limits<u32>::max();
  std::optional<u64> links;
  bool addresses = false;
  bool lanes = false;
  bool control = false;
  bool slice = false;
};

int fail(const Error& error) {
  spdlog::error("{}", error.to_string());
  return exit_code_of(error);
}

/// An invalid place is bad input, not wrong usage: its validity depends on the run.
int fail_place(const WhyArguments& options, const Error& error) {
  spdlog::error("error: {}: {}", options.place, error.message);
  return exit_code::bad_input;
}

observe::WhyOptions why_options(const WhyArguments& options) {
  constexpr u64 usual_links = 32;
  constexpr u64 usual_slice = 10'000;
  observe::WhyOptions result;
  result.most_depth = static_cast<u32>(options.depth);
  result.most_links = static_cast<std::size_t>(options.links.value_or(options.slice ? usual_slice : usual_links));
  result.follow_addresses = options.addresses;
  result.follow_lanes = options.lanes;
  result.follow_decisions = options.control;
  return result;
}

int explain_place(const WhyArguments& options) {
  Result<Scenario> chosen = loader::load_one(options.file, options.load, options.choice);
  if (!chosen) return fail(chosen.error());
  const Scenario& scenario = *chosen;
  for (const Remark& remark : scenario.remarks) spdlog::warn("{}", remark.to_string());
  const Result<debug::WhyPlace> place = debug::read_why_place(options.place);
  if (!place) return fail_place(options, place.error());
  debug::Session session(scenario);
  if (options.wave && *options.wave >= session.run().launch().count) return fail(*session.start_at_wave(*options.wave));
  session.go_to(std::min(place->step.value_or(scenario.options.max_steps), scenario.options.max_steps));
  // The state of a wave whose work-group has been removed is that before its last instruction.
  if (options.wave && !place->step && session.choose_wave(*options.wave))
    session.go_to(session.run().turns().last_step_of(*options.wave, session.run().position()).value_or(0));
  const u64 position = session.run().position();
  if (place->step && position < *place->step) {
    return fail_place(
        options, {ErrorCode::usage, {}, fmt::format("the run has only {}", support::counted(position, "step")), {}});
  }
  // Without `--wave`, a step means the wave that executed it, and the end the one whose state `salu run` shows.
  const bool is_step = place->step && position != 0;
  const u64 usual = is_step ? session.run().turns().wave_before(position) : session.run().wave().number;
  if (const auto problem = session.choose_wave(options.wave.value_or(usual))) return fail_place(options, *problem);
  const auto bits = debug::find_why_bits(session, place->text);
  if (!bits) return fail_place(options, bits.error());
  const observe::WhyGraph graph = session.why(*bits, position, why_options(options));
  if (options.format == WhyFormat::json) {
    print_data(why_json(graph, scenario.program, place->text));
  } else if (options.format == WhyFormat::dot) {
    print(why_dot(graph, scenario.program));
  } else {
    print(options.slice ? debug::slice_text(graph, scenario.program)
                        : debug::why_text(graph, scenario.program, "--links and --depth set how much is shown"));
  }
  return exit_code::good;
}

int why(WhyArguments& options) {
  std::string problem = read_load_options(options.limits, options.load);
  if (problem.empty() && options.slice && options.format != WhyFormat::text)
    problem = "--slice: only with --format text; `--format json` has the step of each link";
  constexpr u64 most_links = 1'000'000;
  if (problem.empty() && options.links && (*options.links == 0 || *options.links > most_links))
    problem = fmt::format("--links: expected 1 to {}", most_links);
  constexpr u64 greatest_depth = std::numeric_limits<u32>::max();
  if (problem.empty() && (options.depth == 0 || options.depth > greatest_depth))
    problem = fmt::format("--depth: expected 1 to {}", greatest_depth);
  if (!problem.empty()) {
    spdlog::error("error: {}", problem);
    return exit_code::usage;
  }
  return explain_place(options);
}

}  // namespace

void add_why(Command& app) {
  Command command = app.add("why", "show which instructions produced a value");
  const auto options = std::make_shared<WhyArguments>();
  command.argument("FILE", options->file,
                   "scenario (YAML), assembly (.s), words (.hex), binary (.bin) or ELF object; - reads a scenario from "
                   "standard input");
  command.argument("PLACE", options->place,
                   "register, field, bits, lanes or memory, e.g. s4[7:0]; PLACE@STEP: its value after that step");
  const Choices<WhyFormat> formats = {{"text", WhyFormat::text}, {"json", WhyFormat::json}, {"dot", WhyFormat::dot}};
  command.choice("--format", options->format, formats,
                 "text, json (one object per line) or dot (Graphviz) (default: text)");
  command.option("--depth", options->depth,
                 "maximum number of instructions on a path back from PLACE (default: no limit)", "N");
  command.option("--links", options->links, "maximum number of instructions shown (default: 32; with --slice: 10000)",
                 "N");
  command.flag("--addresses", options->addresses,
               "also follow the values that selected a register, a stack entry or an address");
  command.flag("--lanes", options->lanes, "also follow the bits of EXEC that enabled vector writes");
  command.flag("--control", options->control, "also follow the branches, forks and joins that led to an instruction");
  command.flag("--slice", options->slice, "print only the instructions that contributed, in execution order");
  add_choice_options(command, options->choice);
  add_wave_option(command, options->wave);
  add_load_options(command, options->load);
  add_approximations_option(command, options->limits);
  add_steps_option(command, options->limits);
  add_memory_option(command, options->limits);
  command.epilogue(
      {.notes = {},
       .examples = {"salu why programs/fork_join.yaml 'exec[7]@12'", "salu why programs/gcd.yaml s0 --links 3",
                    "salu why programs/store_and_reload.yaml s5 --format dot | dot -Tsvg -o why.svg"},
       .exit_codes = {{exit_code::good, "explained"},
                      {exit_code::usage, "wrong usage"},
                      {exit_code::bad_input, "bad input, or an invalid PLACE"}}});
  command.action([options] { return why(*options); });
}

}  // namespace salu::app
