#include "capi/objects.hpp"
#include "capi/threads.hpp"

#include <salu/equivalence.hpp>
#include <salu/proof.hpp>

namespace salu::capi {
namespace {

EquivalenceOptions equivalence_options_of(const salu_compare_options& given, Threads& threads) {
  EquivalenceOptions options;
  options.inputs = strings_of(given.inputs, given.input_count, "options.inputs");
  options.outputs = strings_of(given.outputs, given.output_count, "options.outputs");
  options.exhaustive = strings_of(given.exhaustive, given.exhaustive_count, "options.exhaustive");
  if (given.states != 0) options.states = given.states;
  if (given.seed != 0) options.seed = given.seed;
  if (given.max_steps != 0) options.max_steps = given.max_steps;
  if (!(given.seconds >= 0)) throw Failure(SALU_INVALID_ARGUMENT, "options.seconds is less than 0");
  if (given.seconds > 0) options.seconds = given.seconds;
  options.for_each = threads.for_each();
  const volatile int32_t* const cancel = given.cancel;
  options.is_cancelled = [cancel] { return is_set(cancel); };
  return options;
}

/// Makes the texts that the caller requests.
void make_texts(salu_text** text, const std::string& for_people, salu_text** json, const std::string& for_programs) {
  salu_text* made = text == nullptr ? nullptr : make_text(for_people);
  if (json != nullptr) {
    try {
      *json = make_text(for_programs);
    } catch (...) {
      salu_text_free(made);
      throw;
    }
  }
  if (text != nullptr) *text = made;
}

int32_t verdict_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return SALU_EQUAL;
    case Verdict::different:
      return SALU_DIFFERENT;
    case Verdict::nothing_compared:
    case Verdict::incomplete:
      break;
  }
  return SALU_UNKNOWN;
}

int32_t verdict_of(ProofVerdict verdict) {
  switch (verdict) {
    case ProofVerdict::proved:
    case ProofVerdict::proved_by_trying:
      return SALU_EQUAL;
    case ProofVerdict::different:
      return SALU_DIFFERENT;
    case ProofVerdict::proved_in_rounds:
    case ProofVerdict::gave_up:
      break;
  }
  return SALU_UNKNOWN;
}

}  // namespace

extern "C" {

salu_status salu_compare(const salu_scenario* a, const salu_scenario* b, const salu_compare_options* options,
                         int32_t* verdict, salu_text** text, salu_text** json) {
  return guarded([&] {
    needed(verdict, "verdict");
    const std::shared_ptr<const Scenario> left = scenario_of(a);
    const std::shared_ptr<const Scenario> right = scenario_of(b);
    const salu_compare_options given = options_of(options);
    Threads threads(given.threads, given.cancel);
    const EquivalenceReport report = value_of(compare_programs(*left, *right, equivalence_options_of(given, threads)));
    if (is_set(given.cancel)) throw Cancelled();
    make_texts(text, equivalence_text(report), json, equivalence_json(report));
    *verdict = verdict_of(report.verdict);
  });
}

salu_status salu_prove(const salu_scenario* a, const salu_scenario* b, const salu_compare_options* options,
                       int32_t* verdict, salu_text** text, salu_text** json) {
  return guarded([&] {
    needed(verdict, "verdict");
    const std::shared_ptr<const Scenario> left = scenario_of(a);
    const std::shared_ptr<const Scenario> right = scenario_of(b);
    const salu_compare_options given = options_of(options);
    if (given.exhaustive_count != 0)
      throw Failure(SALU_INVALID_ARGUMENT, "options.exhaustive must be NULL: a proof covers all values");
    Threads threads(given.threads, given.cancel);
    ProofOptions wanted;
    wanted.compare = equivalence_options_of(given, threads);
    // The time limit of a proof begins after the runs.
    wanted.compare.seconds.reset();
    if (given.seconds > 0) wanted.seconds = given.seconds;
    if (given.rounds != 0) wanted.rounds = given.rounds;
    const ProofReport report = value_of(prove_programs(*left, *right, wanted));
    if (is_set(given.cancel)) throw Cancelled();
    make_texts(text, proof_text(report), json, proof_json(report));
    *verdict = verdict_of(report.verdict);
  });
}
}

}  // namespace salu::capi
