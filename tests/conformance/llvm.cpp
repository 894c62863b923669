#include "conformance/llvm.hpp"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace salu::conformance {
namespace {

std::string hexadecimal(u32 value, int digits = 1) {
  std::array<char, 16> text{};
  const int length = std::snprintf(text.data(), text.size(), "0x%0*x", digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// Input lines (counted from 0) for which the tool printed a message.
std::set<std::size_t> complaints(const std::string& err) {
  std::set<std::size_t> lines;
  std::istringstream stream(err);
  for (std::string line; std::getline(stream, line);) {
    constexpr std::string_view prefix = "<stdin>:";
    // A warning about an instruction that is assembled: only the high half of a 64-bit float is.
    const bool is_truncated = line.find("Low 32-bits will be set to zero") != std::string::npos;
    if (!line.starts_with(prefix) || is_truncated) continue;
    std::size_t number = 0;
    std::from_chars(line.data() + prefix.size(), line.data() + line.size(), number);
    lines.insert(number - 1);
  }
  return lines;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string quoted(const std::string& argument) { return "'" + argument + "'"; }

/// The disassembler functions of LLVM's C interface.
struct Library {
  void* (*create)(const char* triple, const char* processor, void*, int, void*, void*);
  std::size_t (*disassemble)(void* context, u8* bytes, u64 size, u64 address, char* text, std::size_t text_size);
};

Library load_library() {
  const std::string name = "libLLVM.so." + std::to_string(llvm().version) + ".1";
  void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(::dlerror());
  const auto find = [handle]<class Function>(const char* function, Function*& result) {
    result = reinterpret_cast<Function*>(::dlsym(handle, function));
    if (result == nullptr) throw std::runtime_error(::dlerror());
  };
  for (const char* part :
       {"LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTargetMC", "LLVMInitializeAMDGPUDisassembler"}) {
    void (*initialize)() = nullptr;
    find(part, initialize);
    initialize();
  }
  Library library{};
  find("LLVMCreateDisasmCPU", library.create);
  find("LLVMDisasmInstruction", library.disassemble);
  return library;
}

/// Disassembler contexts live as long as the process.
void* context_of(const Library& library, const std::string& processor) {
  static std::map<std::string, void*> contexts;
  void*& context = contexts[processor];
  if (context == nullptr) context = library.create("amdgcn", processor.c_str(), nullptr, 0, nullptr, nullptr);
  if (context == nullptr) throw std::runtime_error("LLVM does not have a disassembler for " + processor);
  return context;
}

std::size_t crashes = 0;
::sigjmp_buf before_crash;
void leave_crash(int) { ::siglongjmp(before_crash, 1); }

/// Calls `leave_crash` instead of ending the process.
class CrashGuard {
 public:
  CrashGuard() {
    struct sigaction action{};
    action.sa_handler = leave_crash;
    ::sigaction(SIGSEGV, &action, &old_);
  }
  ~CrashGuard() { ::sigaction(SIGSEGV, &old_, nullptr); }
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  struct sigaction old_{};
};

}  // namespace

const Llvm& llvm() {
  static const Llvm chosen = [] {
    const char* const version = std::getenv("SALU_TEST_LLVM");
    const std::string_view text = version == nullptr ? "19" : version;
    if (text == "19") return Llvm{19, SALU_LLVM_MC, SALU_LLC, SALU_LLVM_READELF};
    if (text == "22") return Llvm{22, SALU_LLVM_MC_22, SALU_LLC_22, SALU_LLVM_READELF_22};
    throw std::runtime_error("SALU_TEST_LLVM is " + std::string(text) + ": expected 19 or 22");
  }();
  return chosen;
}

std::string test_name(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c == '.' || c == '-' ? '_' : c;
  return result;
}

std::vector<Processor> known_processors(std::vector<Processor> processors) {
  if (llvm().version < 20) {
    std::erase_if(processors,
                  [](const Processor& each) { return each.name == "gfx950" || each.name == "gfx9-4-generic"; });
  }
  return processors;
}

std::vector<Generation> known_generations(std::vector<Generation> generations) {
  // gfx950, its only processor, was added in LLVM 20.
  if (llvm().version < 20) std::erase(generations, Generation::cdna4);
  return generations;
}

std::vector<Generation> generations() {
  return known_generations({all_generations().begin(), all_generations().end()});
}

static bool compares_all() {
  const char* const chosen = std::getenv("SALU_CONFORMANCE");
  return llvm().version < 20 || (chosen != nullptr && std::string_view(chosen) == "all");
}

std::vector<Processor> selected(std::vector<Processor> processors) {
  if (compares_all()) return processors;
  std::erase_if(processors, [](const Processor& each) {
    return each.name != "gfx950" && each.name != "gfx9-4-generic" && each.name != "gfx900";
  });
  return processors;
}

std::vector<Generation> selected(std::vector<Generation> generations) {
  if (compares_all()) return generations;
  std::erase_if(generations, [](Generation each) { return each != Generation::cdna4 && each != Generation::gcn1_4; });
  return generations;
}

std::string_view main_processor(Generation generation) {
  constexpr auto processors =
      std::to_array<std::string_view>({"gfx600", "gfx700", "gfx810", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx950"});
  static_assert(processors.size() == generation_count);
  return processors[static_cast<std::size_t>(generation)];
}

std::string to_text(const Words& words) {
  std::string text;
  for (const u32 word : words.span()) text += (text.empty() ? "" : " ") + hexadecimal(word, 8);
  return text;
}

CommandOutput run_command(const std::vector<std::string>& arguments, std::string_view input) {
  static int counter = 0;
  const std::filesystem::path directory = std::filesystem::temp_directory_path();
  const std::string stem = "salu_conformance_" + std::to_string(::getpid()) + "_" + std::to_string(counter++);
  const auto in = directory / (stem + ".in");
  const auto out = directory / (stem + ".out");
  const auto err = directory / (stem + ".err");
  {
    std::ofstream stream(in, std::ios::binary);
    stream << input;
    if (!stream) throw std::runtime_error("cannot write " + in.string());
  }
  std::string command;
  for (const std::string& argument : arguments) command += quoted(argument) + " ";
  command += "<" + quoted(in.string()) + " >" + quoted(out.string()) + " 2>" + quoted(err.string());
  CommandOutput result;
  result.status = std::system(command.c_str());
  result.out = read_file(out);
  result.err = read_file(err);
  for (const auto& path : {in, out, err}) std::filesystem::remove(path);
  return result;
}

std::size_t disassembler_crashes() { return crashes; }

std::vector<std::optional<std::string>> llvm_disassemble(std::string_view processor, std::span<const Words> inputs) {
  static const Library library = load_library();
  void* const context = context_of(library, std::string(processor));
  std::vector<std::optional<std::string>> result(inputs.size());
  std::array<u8, sizeof(Words::words)> bytes{};
  std::array<char, 512> text{};
  const CrashGuard guard;
  volatile std::size_t next = 0;
  // LLVM 22 reads freed memory for its message about an operand: the instruction is invalid.
  if (::sigsetjmp(before_crash, 1) != 0) ++crashes;
  while (next < inputs.size()) {
    const std::size_t index = next;
    next = index + 1;
    const Words& words = inputs[index];
    const std::size_t size = std::size_t{4} * words.count;
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<u8>(words.words[i / 4] >> (i % 4 * 8));
    if (library.disassemble(context, bytes.data(), size, 0, text.data(), text.size()) != size) continue;
    std::string_view line = text.data();
    // Without the tab before it and the comment after it.
    line = line.substr(0, line.find(" ;"));
    line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
    if (line.find("/*Invalid") == std::string_view::npos) result[index] = line;
  }
  return result;
}

bool is_same_but_for_lit(std::string_view llvm, std::string_view salu, u32 literal) {
  const std::string found = "lit(" + hexadecimal(literal) + ")";
  const std::size_t start = llvm.find(found);
  if (start == std::string_view::npos) return false;
  const std::string_view before = llvm.substr(0, start);
  const std::string_view after = llvm.substr(start + found.size());
  if (salu.size() <= before.size() + after.size() || !salu.starts_with(before) || !salu.ends_with(after)) return false;
  const std::string_view number = salu.substr(before.size(), salu.size() - before.size() - after.size());
  return number.find_first_of(", ") == std::string_view::npos;
}

std::vector<std::optional<Words>> llvm_assemble(std::string_view processor, std::span<const std::string> lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  const CommandOutput output =
      run_command({llvm().mc, "-triple=amdgcn", "-mcpu=" + std::string(processor), "-show-encoding"}, text);
  const std::set<std::size_t> rejected = complaints(output.err);

  std::vector<std::optional<Words>> result(lines.size());
  std::istringstream stream(output.out);
  std::size_t index = 0;
  for (std::string line; std::getline(stream, line);) {
    constexpr std::string_view marker = "encoding: [";
    const std::size_t start = line.find(marker);
    if (start == std::string::npos) continue;
    while (rejected.contains(index)) ++index;
    Words words;
    std::size_t count = 0;
    const std::string bytes = line.substr(start + marker.size());
    for (std::size_t at = 0; at + 4 <= bytes.size() && bytes.substr(at, 2) == "0x" && count < 8; at += 5, ++count) {
      words.words[count / 4] |= static_cast<u32>(std::stoul(bytes.substr(at, 4), nullptr, 16)) << (count % 4 * 8);
    }
    words.count = static_cast<u8>(count / 4);
    if (index >= lines.size()) throw std::runtime_error("more encodings than lines");
    result[index++] = words;
  }
  while (rejected.contains(index)) ++index;
  if (index != lines.size())
    throw std::runtime_error("lost the thread in the assembler's text: " + output.err.substr(0, 500));
  return result;
}

}  // namespace salu::conformance
