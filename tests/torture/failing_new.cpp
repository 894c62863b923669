// The program salu with an allocation that fails: the SALU_TORTURE_AT-th (from 1) of operator new as long as main()
// runs. How many there were is written to SALU_TORTURE_COUNT. With SALU_TORTURE_KIND=leak memory is lost there, to show
// that it is noticed. For AddressSanitizer, which looks for what is not given back, also where the program ends at
// once, and whose allocator no library can stand in front of.

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

// The names are those that the linker and the sanitizers look for.
// NOLINTBEGIN(readability-identifier-naming)
// The linker puts what begins with __wrap in the place of what begins with __real (--wrap).
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

// nlohmann-json up to 3.11.2 loses the object that it makes of a list in braces when there is no memory for a member.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:basic_json(std::initializer_list\n"; }

// Without memory the program ends by this, behind which nobody looks for leaks any more. What stacks and globals still
// refer to then is none.
extern "C" [[gnu::weak]] void __lsan_do_leak_check();
extern "C" [[noreturn]] void __real__Exit(int code);
extern "C" [[noreturn]] void __wrap__Exit(int code) {
  is_counting = false;
  // Ends the program where there is a leak. Not all sanitizers have it.
  if (__lsan_do_leak_check != nullptr) __lsan_do_leak_check();
  __real__Exit(code);
}
// NOLINTEND(readability-identifier-naming)
