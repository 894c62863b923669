#include <salu/program.hpp>

#include <spdlog/spdlog.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "commands.hpp"
#include "exit_codes.hpp"
#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "loader/objects/program_builder.hpp"
#include "loader/text_file.hpp"
#include "output.hpp"

namespace salu::app {
namespace {

struct DisArguments {
  std::string file;
  std::string mcpu;
  bool each_line = false;
};

/// Where a direct branch goes; nothing for any other instruction.
std::optional<u64> branch_target(const isa::Instruction& instruction, u64 address) {
  if (instruction.encoding != isa::EncodingClass::scalar) return std::nullopt;
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    if (operand.kind == isa::OperandKind::branch) {
      return address + 4 + static_cast<u64>(i64{static_cast<i16>(instruction.simm16)} * 4);
    }
  }
  return std::nullopt;
}

class Listing {
 public:
  explicit Listing(const loader::BuiltProgram& code)
      : program_(code.program), references_(code.references), generation_(program_.generation()) {}

  std::string write() {
    for (const Symbol& symbol : program_.symbols) names_.try_emplace(symbol.address, symbol.name);
    find_targets();
    const isa::LabelResolver label = [this](u64 address) {
      const auto found = names_.find(address);
      return found == names_.end() ? std::string() : found->second;
    };
    for (const CodeBlock& block : program_.code) {
      if (!text_.empty()) text_ += '\n';
      for_each(block, [&](u64 address, const isa::Instruction& instruction, std::span<const u32> words) {
        add_headings(address);
        std::string line = fmt::format("  {:#08x}:", address);
        for (const u32 word : words) line += fmt::format(" {:08x}", word);
        constexpr std::size_t text_column = 32;
        line.resize(std::max(line.size() + 1, text_column), ' ');
        line += isa::disassemble(generation_, instruction, {.address = address, .label = &label});
        text_ += line + reference_in(address, words.size() * 4) + '\n';
      });
    }
    return std::move(text_);
  }

 private:
  template <class Visit>
  void for_each(const CodeBlock& block, Visit visit) const {
    const std::span<const u32> words = block.words;
    for (std::size_t i = 0; i < words.size();) {
      const isa::Instruction instruction = isa::decode(generation_, words.subspan(i));
      const std::size_t count = std::clamp<std::size_t>(instruction.dwords, 1, words.size() - i);
      visit(block.base + i * 4, instruction, words.subspan(i, count));
      i += count;
    }
  }

  /// Names the targets of branches that have no symbol: L1, L2, ... in the order of their addresses.
  void find_targets() {
    std::map<u64, bool> starts;  // of instructions; true when a branch goes there
    for (const CodeBlock& block : program_.code) {
      for_each(block,
               [&](u64 address, const isa::Instruction&, std::span<const u32>) { starts.emplace(address, false); });
    }
    for (const CodeBlock& block : program_.code) {
      for_each(block, [&](u64 address, const isa::Instruction& instruction, std::span<const u32>) {
        const auto target = branch_target(instruction, address);
        const auto found = target ? starts.find(*target) : starts.end();
        if (found != starts.end()) found->second = true;
      });
    }
    std::size_t number = 0;
    for (const auto& [address, is_target] : starts) {
      if (is_target && !names_.contains(address)) names_.emplace(address, unused_label(number));
    }
  }

  [[nodiscard]] std::string unused_label(std::size_t& number) const {
    std::string name;
    do {
      name = "L" + std::to_string(++number);
    } while (program_.find_symbol(name) != nullptr);
    return name;
  }

  /// What symbol an instruction refers to, as a comment; empty when it refers to none.
  [[nodiscard]] std::string reference_in(u64 address, u64 size_bytes) const {
    const auto found = std::ranges::lower_bound(references_, address, {}, &loader::Reference::address);
    if (found == references_.end() || found->address - address >= size_bytes) return linked_reference(address);
    const bool is_missing = program_.find_unresolved(address, size_bytes) != nullptr;
    return " // " + found->text + (is_missing ? " (not defined here)" : "");
  }

  /// What S_GETPC_B64 and the S_ADD_U32 at an address behind it add up to in linked code, when a symbol is there.
  [[nodiscard]] std::string linked_reference(u64 address) const {
    const CodeBlock* block = program_.find_block(address - 4);
    if (block == nullptr || !block->contains(address)) return {};
    const std::span words = std::span(block->words).subspan((address - 4 - block->base) / 4);
    const isa::Instruction getpc = isa::decode(generation_, words);
    const isa::Instruction add = isa::decode(generation_, words.subspan(1));
    const bool is_pair = getpc.encoding == isa::EncodingClass::scalar && getpc.insn == isa::Insn::s_getpc_b64 &&
                         add.encoding == isa::EncodingClass::scalar && add.insn == isa::Insn::s_add_u32;
    if (!is_pair || !add.has_literal || add.ssrc0 != getpc.sdst) return {};
    const u64 target = address + static_cast<u64>(i64{static_cast<i32>(add.literal)});
    const auto symbol = std::ranges::lower_bound(program_.symbols, target, {}, &Symbol::address);
    return symbol == program_.symbols.end() || symbol->address != target ? "" : " // " + symbol->name;
  }

  /// The source line, where it is another one than that of the instruction before.
  void add_source_line(u64 address) {
    const LineEntry* const entry = program_.find_line(address);
    if (entry == nullptr) return;
    const std::string place = program_.files.at(entry->file) + ":" + std::to_string(entry->line);
    if (place != source_line_) text_ += "  // " + place + "\n";
    source_line_ = place;
  }

  void add_headings(u64 address) {
    const auto symbols = std::ranges::equal_range(program_.symbols, address, {}, &Symbol::address);
    for (const Symbol& symbol : symbols) text_ += symbol.name + ":\n";
    if (symbols.empty() && names_.contains(address)) text_ += names_[address] + ":\n";
    add_source_line(address);
  }

  const Program& program_;
  std::span<const loader::Reference> references_;
  Generation generation_;
  std::map<u64, std::string> names_;  ///< of symbols and branch targets
  std::string source_line_;
  std::string text_;
};

int list(const DisArguments& options) {
  const Result<loader::BuiltProgram> code = loader::load_code_file(options.file, options.mcpu);
  if (!code) {
    spdlog::error("{}", code.error().to_string());
    return exit_code::bad_input;
  }
  print(Listing(*code).write());
  return exit_code::good;
}

/// The lines of a file as they come in, so that whoever writes them gets an answer to each.
class LineReader {
 public:
  explicit LineReader(const std::string& path)
      : descriptor_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY)) {
    if (descriptor_ < 0) error_ = errno;
  }
  ~LineReader() {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
  }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end; false at the end of the file, and when it cannot be read. Output that is buffered
  /// is sent before this has to wait.
  bool next(std::string& line) {
    std::size_t end = 0;
    while ((end = buffer_.find('\n', start_)) == std::string::npos && !at_end_) fill();
    if (error_ != 0 || (end == std::string::npos && start_ == buffer_.size())) return false;
    line = buffer_.substr(start_, end - start_);
    start_ = std::min(end, buffer_.size() - 1) + 1;
    return true;
  }

  /// Why the file cannot be read; empty when it can.
  [[nodiscard]] std::string problem() const {
    return error_ == 0 ? std::string() : std::string("cannot read the file: ") + std::strerror(error_);
  }

 private:
  static constexpr std::size_t chunk_bytes = 1 << 16;
  static constexpr std::size_t longest_line_bytes = 1 << 20;

  void fill() {
    send_output();
    buffer_.erase(0, start_);
    start_ = 0;
    if (buffer_.size() > longest_line_bytes) error_ = EFBIG;
    const std::size_t old_size = buffer_.size();
    buffer_.resize(old_size + chunk_bytes);
    ssize_t count = -1;
    while (error_ == 0 && (count = read(descriptor_, buffer_.data() + old_size, chunk_bytes)) < 0) {
      if (errno != EINTR) error_ = errno;
    }
    buffer_.resize(old_size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    at_end_ = count <= 0;
  }

  int descriptor_;
  int error_ = 0;
  bool at_end_ = false;
  std::string buffer_;
  std::size_t start_ = 0;  ///< of the next line in `buffer_`
};

/// One instruction's words a line in, its text a line out. A line that holds no words is answered like one that holds
/// no instruction, and makes the exit code.
int list_each_line(const DisArguments& options) {
  const Generation generation = find_target(options.mcpu)->generation;
  const std::string name = loader::display_name(options.file);
  LineReader lines(options.file);
  int result = exit_code::good;
  std::string line;
  for (u32 number = 1; lines.next(line); ++number) {
    const Result<std::vector<u32>> words = loader::read_words_line(line, name, number);
    std::string text = "<invalid>";
    if (words) {
      const isa::Instruction instruction = isa::decode(generation, *words);
      const bool is_one = !words->empty() && instruction.encoding != isa::EncodingClass::truncated &&
                          instruction.dwords == words->size();
      if (is_one) text = isa::disassemble(generation, instruction);
    }
    print(text + "\n");
    if (words) continue;
    spdlog::error("{}", words.error().to_string());
    result = exit_code::bad_input;
  }
  if (lines.problem().empty()) return result;
  spdlog::error("{}: error: {}", name, lines.problem());
  return exit_code::bad_input;
}

int disassemble(DisArguments& options) {
  std::string problem;
  if (!options.mcpu.empty()) problem = target_problem(options.mcpu);
  if (problem.empty() && options.each_line && options.mcpu.empty())
    problem = "--each-line needs it: words do not name their target";
  if (!problem.empty()) {
    spdlog::error("error: --mcpu: {}", problem);
    return exit_code::usage;
  }
  if (options.file.empty()) {
    if (!options.each_line) {
      spdlog::error("error: FILE is required; - is standard input\n`salu dis --help` tells more");
      return exit_code::usage;
    }
    options.file = "-";
  }
  return options.each_line ? list_each_line(options) : list(options);
}

}  // namespace

void add_dis(Command& app) {
  Command command = app.add("dis", "Disassemble an ELF object, binary code (.bin) or hexadecimal words");
  const auto options = std::make_shared<DisArguments>();
  command.argument("FILE", options->file,
                   "what to disassemble; - is standard input (an ELF object or hexadecimal words), as is no FILE "
                   "with --each-line",
                   Command::Need::optional);
  command.option("--mcpu", options->mcpu, "processor or generation; an ELF object names its own");
  command.flag("--each-line", options->each_line,
               "one instruction's words a line in, its text a line out; <invalid> where the words are not exactly one");
  command.footer(
      "\nExamples:\n"
      "  salu dis kernel.o\n"
      "  salu dis --mcpu gfx900 code.bin\n"
      "  echo 'bf810000' | salu dis --mcpu tahiti -\n"
      "  printf '80000201\\nbf810000\\n' | salu dis --mcpu tahiti --each-line");
  command.action([options] { return disassemble(*options); });
}

}  // namespace salu::app
