#include "loader/objects/llvm_disassembler.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/llvm_versions.hpp"
#include "support/process.hpp"

namespace salu::loader {
namespace {

constexpr const char* variable = "SALU_LIBLLVM";
constexpr unsigned first_version = 17;  // has LLVMGetVersion and all processors except those in `first_version_of`
/// Later libraries end the process on words that name a register that does not exist (LLVM 22 and 23).
constexpr unsigned last_version = 21;

/// The file names of the library of a version on common systems.
std::vector<std::string> library_names(u32 version) {
  return {fmt::format("libLLVM.so.{}.1", version), fmt::format("libLLVM-{}.so.1", version),
          fmt::format("libLLVM-{}.so", version), fmt::format("/usr/lib/llvm-{}/lib/libLLVM.so", version)};
}

/// The first version that supports a processor. LLVM treats an unknown processor as another one.
unsigned first_version_of(std::string_view processor) {
  if (processor == "gfx950" || processor == "gfx9-4-generic") return 20;
  return processor == "gfx9-generic" ? 19 : first_version;
}

/// True if SDWA has the reserved selector 7, on which LLVM 19 crashes.
bool has_reserved_selector(std::span<const u32> words) {
  constexpr u32 source_mask = 0x1ff;
  constexpr u32 sdwa = 0xf9;
  constexpr u32 vopc = 0x3e;  // its scalar destination occupies the bits of the destination selector
  constexpr u32 reserved = 7;
  if (words.size() < 2 || words[0] >> 31 != 0 || (words[0] & source_mask) != sdwa) return false;
  const auto selects = [&](u32 shift) { return (words[1] >> shift & reserved) == reserved; };
  return selects(16) || selects(24) || (words[0] >> 25 != vopc && selects(8));
}

}  // namespace

/// The functions of llvm-c/Disassembler.h and llvm-c/Target.h that are used.
struct LlvmDisassembler::Library {
  using Initialize = void (*)();
  using Version = void (*)(unsigned* major, unsigned* minor, unsigned* patch);
  using Create = void* (*)(const char* triple, const char* cpu, const char* features, void* information, int tag_type,
                           void* get_operand, void* look_up_symbol);
  using Decode = std::size_t (*)(void* context, std::uint8_t* bytes, std::uint64_t bytes_size, std::uint64_t pc,
                                 char* text, std::size_t text_size);
  using Dispose = void (*)(void* context);

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  Library(Library&&) = delete;
  Library& operator=(Library&&) = delete;
  // The library stays loaded: it has its own threads and memory, and is needed for the next file.
  ~Library() {
    if (context != nullptr) dispose(context);
  }

  template <class Function>
  static Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
  }

  void* context = nullptr;
  Decode decode = nullptr;
  Dispose dispose = nullptr;
};

LlvmDisassembler::LlvmDisassembler(const Target& target, std::string llvm) : target_(target), llvm_(std::move(llvm)) {}
LlvmDisassembler::~LlvmDisassembler() = default;

void LlvmDisassembler::load() {
  is_loaded_ = true;
  if (!can_start_programs) {
    problem_ = "instructions that salu does not support are not disassembled: LLVM is not part of this build of salu";
    return;
  }
  constexpr u32 first_generation = 8;  // LLVM ends the process when it is asked for one before
  if (generation_info(target_.generation).gfx < first_generation) {
    problem_ = fmt::format(
        "instructions that salu does not support are not disassembled: LLVM does not have a disassembler for {}",
        target_.processor);
    return;
  }
  const unsigned needed = first_version_of(target_.processor);
  const char* const named = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): never written
  if (named != nullptr && *named != '\0') {
    void* const library = std::string_view(named) == "none" ? nullptr : dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return load_library(library);
  } else {
    for (const u32 version : llvm_versions(llvm_)) {
      if (version < needed || version > last_version) continue;
      for (const std::string& name : library_names(version)) {
        if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return load_library(library);
      }
    }
    for (const u32 version : llvm_versions(llvm_)) {
      const auto program = support::find_program({fmt::format("llvm-mc-{}", version)});
      if (version < needed || !program) continue;
      program_ = std::make_unique<LlvmMcDisassembler>(*program, std::string(target_.processor));
      return;
    }
  }
  problem_ = fmt::format(
      "instructions that salu does not support are not disassembled: {} not found ({}; {} names another library)",
      needed > first_version ? fmt::format("LLVM {} or later, which supports {}, was", needed, target_.processor)
                             : std::string("LLVM's library was"),
      needed > first_version ? "Debian's package llvm-22 contains it" : "Debian's package libllvm19 contains it",
      variable);
}

/// Loads the functions of a library.
void LlvmDisassembler::load_library(void* library) {
  const unsigned needed = first_version_of(target_.processor);
  unsigned version = 0;
  if (const auto get = Library::find<Library::Version>(library, "LLVMGetVersion")) get(&version, nullptr, nullptr);
  if (version < needed) {
    problem_ = fmt::format(
        "instructions that salu does not support are not disassembled: LLVM {} does not support {}; LLVM {} and later "
        "do",
        version == 0 ? "15 and older" : std::to_string(version), target_.processor, needed);
    return;
  }
  auto found = std::make_unique<Library>();
  found->decode = Library::find<Library::Decode>(library, "LLVMDisasmInstruction");
  found->dispose = Library::find<Library::Dispose>(library, "LLVMDisasmDispose");
  const auto create = Library::find<Library::Create>(library, "LLVMCreateDisasmCPUFeatures");
  constexpr std::array<const char*, 3> parts = {"LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTargetMC",
                                                "LLVMInitializeAMDGPUDisassembler"};
  bool is_whole = create != nullptr && found->decode != nullptr && found->dispose != nullptr;
  for (const char* const part : parts) {
    const auto initialize = Library::find<Library::Initialize>(library, part);
    if (initialize != nullptr) initialize();
    is_whole = is_whole && initialize != nullptr;
  }
  const std::string processor(target_.processor);
  if (is_whole) found->context = create("amdgcn-amd-amdhsa", processor.c_str(), "", nullptr, 0, nullptr, nullptr);
  if (found->context == nullptr) {
    problem_ = fmt::format(
        "instructions that salu does not support are not disassembled: LLVM {} was built without AMDGPU", version);
    return;
  }
  library_ = std::move(found);
}

void LlvmDisassembler::expect(const std::vector<std::vector<u32>>& instructions) {
  if (!can_start_programs || instructions.empty()) return;
  if (!is_loaded_) load();
  if (program_ != nullptr) program_->add(instructions);
}

std::optional<LlvmDisassembler::Instruction> LlvmDisassembler::decode(std::span<const u32> words) {
  if (!is_loaded_) load();
  if (!can_start_programs) return std::nullopt;
  if (program_ != nullptr) {
    const std::string& text = program_->text_of(words);
    return text.empty() ? std::nullopt : std::optional(Instruction{text, static_cast<u32>(words.size())});
  }
  if (library_ == nullptr || has_reserved_selector(words)) return std::nullopt;
  constexpr std::size_t window_dwords = 5;  // instructions have at most this many
  std::array<std::uint8_t, window_dwords * 4> bytes{};
  const std::size_t count = std::min(words.size(), window_dwords);
  for (std::size_t i = 0; i < count * 4; ++i) bytes[i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
  std::array<char, 512> text{};
  const std::size_t size = library_->decode(library_->context, bytes.data(), count * 4, 0, text.data(), text.size());
  if (size == 0 || size % 4 != 0 || size > count * 4) return std::nullopt;
  std::string_view found(text.data());
  found.remove_prefix(std::min(found.find_first_not_of(" \t"), found.size()));
  found = found.substr(0, found.find_last_not_of(" \t\n") + 1);
  if (found.empty()) return std::nullopt;
  return Instruction{std::string(found), static_cast<u32>(size / 4)};
}

}  // namespace salu::loader
