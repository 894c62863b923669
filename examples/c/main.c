/* salu from C: runs a scenario, reads its results, and steps back through it (docs/reference/c-api.md). */
#include <inttypes.h>
#include <salu.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(salu_status status) {
  if (status == SALU_OK) return;
  fprintf(stderr, "%s\n", salu_error_message());
  exit(1);
}

/* One bit a lane, lane 0 first. */
static void print_lanes(uint64_t exec) {
  int lane;
  for (lane = 0; lane < 64; ++lane) putchar((exec >> lane & 1) != 0 ? '#' : '.');
}

static int print_event(void* user, const salu_trace_event* event) {
  (void)user;
  printf("%3" PRIu64 "  %-40s %s\n", event->step, event->instruction, event->note);
  return 0;
}

static void run(const salu_scenario* scenario) {
  salu_run_options options = {.struct_size = sizeof options};
  salu_outcome* outcome;
  salu_stop stop = {.struct_size = sizeof stop};
  uint64_t mismatches;
  options.trace = print_event;
  expect(salu_run(scenario, &options, &outcome));
  expect(salu_outcome_stop(outcome, &stop));
  expect(salu_outcome_check(outcome, &mismatches, NULL));
  printf("%s after %" PRIu64 " steps, %" PRIu64 " expectations failed\n\n", stop.reason, stop.steps, mismatches);
  expect(salu_outcome_free(outcome));
}

static void step_back(const salu_scenario* scenario) {
  salu_session* session;
  salu_pause pause = {.struct_size = sizeof pause};
  expect(salu_session_open(scenario, &session));
  expect(salu_session_run(session, &pause));
  while (pause.position != 0) {
    uint64_t exec;
    expect(salu_session_step_back(session, 1, &pause));
    expect(salu_session_get(session, "exec", &exec));
    printf("%3" PRIu64 "  ", pause.position);
    print_lanes(exec);
    putchar('\n');
  }
  expect(salu_session_free(session));
}

/* s1 = s0 + 35 for a million values of s0. */
static void sweep(void) {
  enum { count = 1000000 };
  static uint32_t in[count];
  static uint32_t out[count];
  const salu_column input = {"s0", in, sizeof in[0], sizeof in[0], 0};
  const salu_column output = {"s1", out, sizeof out[0], sizeof out[0], 0};
  salu_scenario* program;
  uint32_t i;
  for (i = 0; i < count; ++i) in[i] = i;
  expect(salu_assemble("s_add_u32 s1, s0, 35\ns_endpgm", "gfx900", &program));
  expect(salu_sweep(program, &input, 1, &output, 1, count, NULL, NULL));
  for (i = 0; i < count && out[i] == in[i] + 35; ++i) {
  }
  printf("\n%" PRIu32 " of %d sums are right\n", i, (int)count);
  expect(salu_scenario_free(program));
}

int main(int argc, char** argv) {
  salu_scenario* scenario;
  if (argc != 2) {
    fprintf(stderr, "usage: %s SCENARIO.yaml\n", argv[0]);
    return 2;
  }
  expect(salu_load_file(argv[1], NULL, &scenario));
  run(scenario);
  step_back(scenario);
  expect(salu_scenario_free(scenario));
  sweep();
  return salu_live_handles() == 0 ? 0 : 1;
}
