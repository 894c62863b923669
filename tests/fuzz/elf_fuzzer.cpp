#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzzing.hpp"

/// Input: an ELF file. It is refused with a message, or loaded, and then the function that it starts with can be run.
namespace salu::fuzzing {
namespace {

/// The input as a file that has a name and lies in memory.
class MemoryFile {
 public:
  MemoryFile(const u8* data, std::size_t size) : descriptor_(memfd_create("fuzz.o", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "a file in memory can be made");
    const ssize_t written = write(descriptor_, data, size);
    require(written == static_cast<ssize_t>(size), "the file takes the input");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void check_program(const Program& program) {
  require(program.find_block(program.entry) != nullptr, "the entry is in the code");
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    require(!program.code[i].words.empty(), "no block of code is empty");
    require(i == 0 || program.code[i - 1].end() <= program.code[i].base, "blocks are sorted and apart");
  }
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  // Anything else would be read as a scenario, which is another target's work.
  constexpr std::string_view magic =
      "\x7f"
      "ELF";
  if (!std::string_view(reinterpret_cast<const char*>(data), size).starts_with(magic)) return 0;
  const fuzzing::MemoryFile file(data, size);
  const std::vector<Result<Scenario>> scenarios = load_file(file.path());
  fuzzing::require(scenarios.size() == 1, "a file gives one scenario or one error");
  const Result<Scenario>& scenario = scenarios.front();
  if (!scenario) {
    fuzzing::require(!scenario.error().message.empty(), "an error says what is wrong");
    return 0;
  }
  fuzzing::check_program(scenario->program);
  RunOptions options = scenario->options;
  options.max_steps = 500;
  const Outcome outcome = run(scenario->program, scenario->initial, scenario->memory, options);
  fuzzing::require(outcome.steps <= options.max_steps, "the step limit holds");
  return 0;
}
