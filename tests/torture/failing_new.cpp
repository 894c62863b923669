// The program salu with a failing allocation: the SALU_TORTURE_AT-th (from 1) call of operator new while main() runs.
// The number of calls is written to SALU_TORTURE_COUNT. With SALU_TORTURE_KIND=leak, memory is leaked there, to show
// that leaks are detected. For AddressSanitizer, which finds leaks even if the program ends early, and whose allocator
// a preloaded library cannot replace.

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "failing_operators.hpp"

namespace {

std::atomic<bool> is_counting = false;
std::atomic<long> calls = 0;
long at = 0;
bool is_leaking = false;
void* volatile lost = nullptr;

}  // namespace

namespace salu::test {

bool allocation_fails(std::size_t size) {
  if (!is_counting || ++calls != at) return false;
  if (is_leaking) lost = std::malloc(size);
  lost = nullptr;
  return true;
}

}  // namespace salu::test

// The linker and the sanitizers use these names.
// NOLINTBEGIN(readability-identifier-naming)
// The linker replaces symbols that begin with __real by those with __wrap (--wrap).
extern "C" int __real_main(int argc, char** argv);
extern "C" int __wrap_main(int argc, char** argv) {
  if (const char* const number = std::getenv("SALU_TORTURE_AT")) at = std::atol(number);
  const char* const kind = std::getenv("SALU_TORTURE_KIND");
  is_leaking = kind != nullptr && std::strcmp(kind, "leak") == 0;
  is_counting = true;
  const int result = __real_main(argc, argv);
  is_counting = false;
  if (const char* const path = std::getenv("SALU_TORTURE_COUNT")) {
    if (std::FILE* const file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }
  return result;
}

// nlohmann-json up to 3.11.2 leaks the object that it creates for a list in braces if the allocation of a member fails.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:basic_json(std::initializer_list\n"; }

// Without memory the program ends through this function, and leaks are not searched afterwards. Memory that stacks and
// globals still refer to is not a leak.
extern "C" [[gnu::weak]] void __lsan_do_leak_check();
extern "C" [[noreturn]] void __real__Exit(int code);
extern "C" [[noreturn]] void __wrap__Exit(int code) {
  is_counting = false;
  // Ends the program if there is a leak. Not all sanitizers have this function.
  if (__lsan_do_leak_check != nullptr) __lsan_do_leak_check();
  __real__Exit(code);
}
// NOLINTEND(readability-identifier-naming)
