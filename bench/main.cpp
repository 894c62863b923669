#include <cstdlib>

#include "benchmarks.hpp"

namespace salu::bench {
namespace {
bool failed = false;
}

void fail(benchmark::State& state, const char* message) {
  failed = true;
  state.SkipWithError(message);
}

}  // namespace salu::bench

int main(int argument_count, char** arguments) {
  benchmark::Initialize(&argument_count, arguments);
  if (benchmark::ReportUnrecognizedArguments(argument_count, arguments)) return EXIT_FAILURE;
#if defined(__clang__)
  benchmark::AddCustomContext("compiler", "clang " __clang_version__);
#else
  benchmark::AddCustomContext("compiler", "gcc " __VERSION__);
#endif
#if !defined(NDEBUG)
  benchmark::AddCustomContext("warning", "built with assertions; times are not meaningful");
#endif
  salu::bench::register_throughput();
  salu::bench::register_fresh();
  salu::bench::register_text();
  salu::bench::register_suite();
  salu::bench::register_batch_functions();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return salu::bench::failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
