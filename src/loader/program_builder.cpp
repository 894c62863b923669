#include "loader/program_builder.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "asm/assembler.hpp"
#include "isa/decode.hpp"
#include "isa/nearest.hpp"
#include "loader/number.hpp"
#include "loader/reader.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"

namespace salu::loader {
namespace {

constexpr u64 most_code_bytes = file_limit_bytes;

u64 align_up(u64 value, u64 alignment) { return (value + alignment - 1) / alignment * alignment; }

bool by_place(const Symbol& left, const Symbol& right) {
  return std::tie(left.address, left.name) < std::tie(right.address, right.name);
}

/// Where a block ended up, and which of its symbols it may start at.
struct PlacedBlock {
  u64 first = 0;  ///< address of its first instruction
  std::vector<Symbol> symbols;
  std::vector<Symbol> functions;  ///< ELF: by address
  bool is_elf = false;
};

class Builder {
 public:
  Builder(const Target& target, std::string symbol) : target_(target), symbol_(std::move(symbol)) {
    built_.program.target = &target;
  }

  BuiltProgram build(std::vector<CodeInput> inputs) {
    place(inputs);
    choose_entry(inputs);
    return std::move(built_);
  }

  Program build_without_entry(std::vector<CodeInput> inputs) {
    place(inputs);
    return std::move(built_.program);
  }

 private:
  void place(std::vector<CodeInput>& inputs) {
    for (CodeInput& input : inputs) {
      const u64 base = input.base ? *input.base : next_base_;
      check_base(input, base);
      PlacedBlock placed;
      if (input.kind == CodeInput::Kind::assembly) placed = add_assembly(input, base);
      if (input.kind == CodeInput::Kind::words) placed = add_words(input, base, std::move(input.words));
      if (input.kind == CodeInput::Kind::elf) placed = add_elf(input, base);
      Program& program = built_.program;
      program.symbols.insert(program.symbols.end(), placed.symbols.begin(), placed.symbols.end());
      placed_.push_back(std::move(placed));
    }
    sort();
  }

  [[noreturn]] static void fail(const CodeInput& input, std::string message, ErrorCode code = ErrorCode::scenario) {
    reject(code, input.where, std::move(message), input.source_line);
  }

  [[nodiscard]] u64 address_space_end() const { return u64{1} << address_bits(target_.generation); }

  void check_base(const CodeInput& input, u64 base) const {
    if (base % 4 != 0) fail(input, "the base " + hex(base) + " of the code is no multiple of 4");
    if (base >= address_space_end()) {
      fail(input, "the base " + hex(base) + " of the code lies outside the address space of " +
                      std::to_string(address_bits(target_.generation)) + " bits");
    }
  }

  /// Adds one run of words; the blocks before it tell whether there is room.
  void add_block(const CodeInput& input, u64 base, std::vector<u32> words) {
    CodeBlock block{base, std::move(words)};
    code_bytes_ += block.words.size() * 4;
    if (code_bytes_ > most_code_bytes)
      fail(input, "more than " + std::to_string(most_code_bytes >> 20) + " MiB of code");
    if (block.end() > address_space_end())
      fail(input, "the code at " + hex(base) + " runs past the end of the address space");
    std::vector<CodeBlock>& code = built_.program.code;
    for (const CodeBlock& other : code) {
      if (block.base < other.end() && other.base < block.end()) {
        fail(input, "the code at " + hex(block.base) + " to " + hex(block.end()) + " overlaps the code at " +
                        hex(other.base) + " to " + hex(other.end()) + "; give one of them another `base:`");
      }
    }
    next_base_ = align_up(block.end(), block_alignment_bytes);
    code.push_back(std::move(block));
  }

  PlacedBlock add_words(const CodeInput& input, u64 base, std::vector<u32> words) {
    if (words.empty()) fail(input, "there are no instructions in it");
    add_block(input, base, std::move(words));
    return {base, {}, {}, false};
  }

  PlacedBlock add_assembly(const CodeInput& input, u64 base) {
    assembler::Options options;
    options.generation = target_.generation;
    options.file = input.file;
    options.base = base;
    options.first_line = input.first_line;
    options.first_column = input.first_column;
    assembler::Assembly assembly = assembler::assemble(input.text, options);
    for (Remark& remark : assembly.remarks) built_.remarks.push_back(placed_in(input, std::move(remark)));
    if (!assembly.errors.empty()) reject_assembly(input, std::move(assembly.errors));
    if (assembly.words.empty()) fail(input, "there are no instructions in it", ErrorCode::assembly);
    add_lines(input, assembly.lines);
    PlacedBlock placed = add_words(input, base, std::move(assembly.words));
    placed.symbols = std::move(assembly.labels);
    return placed;
  }

  /// An error or a remark of the assembler at the place that the user knows.
  template <class Message>
  static Message placed_in(const CodeInput& input, Message message) {
    if (!input.exact_places) {
      message.where = input.where;
      message.source_line = input.source_line;
    }
    return message;
  }

  [[noreturn]] void reject_assembly(const CodeInput& input, std::vector<Error> errors) {
    for (Error& error : errors) error = placed_in(input, std::move(error));
    Error first = std::move(errors.front());
    first.remarks = std::move(built_.remarks);
    first.more.assign(std::move_iterator(errors.begin() + 1), std::move_iterator(errors.end()));
    throw Rejection(std::move(first));
  }

  void add_lines(const CodeInput& input, std::vector<LineEntry>& lines) {
    if (!input.exact_places) return;
    Program& program = built_.program;
    const auto known = std::ranges::find(program.files, input.file);
    const auto file = static_cast<u32>(known - program.files.begin());
    if (known == program.files.end()) program.files.push_back(input.file);
    for (LineEntry& entry : lines) {
      entry.file = file;
      program.lines.push_back(entry);
    }
  }

  PlacedBlock add_elf(const CodeInput& input, u64 base) {
    images_.push_back(read_elf(input.text, input.file));
    const ElfImage& image = images_.back();
    std::vector<u64> addresses = place_sections(input, image, base);
    PlacedBlock placed;
    placed.is_elf = true;
    placed.first = ~u64{0};
    for (std::size_t i = 0; i < image.sections.size(); ++i) {
      const ElfSection& section = image.sections[i];
      if (!section.is_code) continue;
      placed.first = std::min(placed.first, addresses[i]);
      add_block(input, addresses[i], parse_binary_words(section.bytes, input.file));
    }
    if (placed.first == ~u64{0}) fail(input, "the object has no code", ErrorCode::elf);
    for (const ElfSymbol& symbol : image.symbols) {
      const u64 offset = image.relocatable ? addresses[symbol.section] : base;
      Symbol added{symbol.name, offset + symbol.value, symbol.size_bytes};
      const CodeBlock* block = find_added(added.address);
      if (block != nullptr && symbol.is_function && image.sections[symbol.section].is_code) {
        added.size_bytes = std::min(added.size_bytes, block->end() - added.address);
        placed.functions.push_back(added);
      }
      placed.symbols.push_back(std::move(added));
    }
    std::ranges::sort(placed.functions, by_place);
    relocations_of(image, addresses, base);
    return placed;
  }

  [[nodiscard]] const CodeBlock* find_added(u64 address) const {
    const auto found =
        std::ranges::find_if(built_.program.code, [&](const CodeBlock& block) { return block.contains(address); });
    return found == built_.program.code.end() ? nullptr : &*found;
  }

  /// Address of every section: in order from `base` in a relocatable object, at base + address otherwise. Sections that
  /// are no code keep their place as well.
  std::vector<u64> place_sections(const CodeInput& input, const ElfImage& image, u64 base) const {
    std::vector<u64> addresses;
    u64 next = base;
    for (const ElfSection& section : image.sections) {
      const u64 address = image.relocatable ? align_up(next, section.alignment_bytes) : base + section.address;
      const bool wraps = !image.relocatable && section.address > address_space_end();
      if (wraps || address > address_space_end() || section.size_bytes > address_space_end() - address) {
        fail(input,
             "section `" + section.name + "` lies outside the address space of " +
                 std::to_string(address_bits(target_.generation)) + " bits",
             ErrorCode::elf);
      }
      if (section.is_code && address % 4 != 0)
        fail(input, "section `" + section.name + "` is not dword aligned", ErrorCode::elf);
      addresses.push_back(address);
      next = address + section.size_bytes;
    }
    return addresses;
  }

  struct Relocation {
    u64 address;
    u32 type;
    std::string symbol;
  };

  void relocations_of(const ElfImage& image, const std::vector<u64>& addresses, u64 base) {
    for (const ElfRelocation& relocation : image.relocations) {
      const u64 start = relocation.section ? addresses[*relocation.section] : base;
      relocations_.push_back({start + relocation.offset, relocation.type, relocation.symbol});
    }
  }

  void sort() {
    Program& program = built_.program;
    std::ranges::sort(program.code, {}, &CodeBlock::base);
    std::ranges::sort(program.symbols, by_place);
    std::ranges::sort(program.lines, {}, &LineEntry::address);
  }

  void choose_entry(const std::vector<CodeInput>& inputs) {
    std::size_t chosen = 0;
    if (symbol_.empty()) {
      const auto with_symbol =
          std::ranges::find_if(inputs, [](const CodeInput& input) { return !input.symbol.empty(); });
      if (with_symbol != inputs.end()) chosen = static_cast<std::size_t>(with_symbol - inputs.begin());
      enter(inputs[chosen], placed_[chosen], inputs[chosen].symbol);
      return;
    }
    for (; chosen < inputs.size(); ++chosen) {
      if (std::ranges::find(placed_[chosen].symbols, symbol_, &Symbol::name) != placed_[chosen].symbols.end()) break;
    }
    // Not there: the message is about the block that would have been entered.
    if (chosen == inputs.size()) chosen = 0;
    enter(inputs[chosen], placed_[chosen], symbol_);
  }

  void enter(const CodeInput& input, const PlacedBlock& placed, const std::string& symbol) {
    const Symbol* start = nullptr;
    if (!symbol.empty()) {
      start = find_start(input, placed, symbol);
    } else if (placed.is_elf) {
      if (placed.functions.empty()) {
        fail(input, "the object has no function to start at; name a symbol (`symbol:` or --symbol)" + list_of(placed),
             ErrorCode::elf);
      }
      start = &placed.functions.front();
      remark_on_choice(input, placed);
    }
    built_.program.entry = start == nullptr ? placed.first : start->address;
    if (start != nullptr && placed.is_elf) enter_function(input, *start);
  }

  /// Says that there were other functions to start at than the first one.
  void remark_on_choice(const CodeInput& input, const PlacedBlock& placed) {
    const Symbol& first = placed.functions.front();
    const bool is_alone = std::ranges::all_of(
        placed.functions, [&](const Symbol& function) { return function.address == first.address; });
    if (is_alone) return;
    built_.remarks.push_back({input.where,
                              "nothing says where to start, so the first function, `" + first.name +
                                  "`, is run; name another one with `symbol:` or --symbol" + list_of(placed),
                              input.source_line});
  }

  static std::string list_of(const PlacedBlock& placed) {
    constexpr std::size_t most_listed = 10;
    const std::vector<Symbol>& symbols = placed.functions.empty() ? placed.symbols : placed.functions;
    if (symbols.empty()) return "; the code has none";
    std::vector<std::string_view> names;
    for (const Symbol& symbol : symbols) {
      if (names.size() < most_listed) names.push_back(symbol.name);
    }
    return "; the code has " + name_list(names, "and") + (symbols.size() > most_listed ? " and more" : "");
  }

  const Symbol* find_start(const CodeInput& input, const PlacedBlock& placed, const std::string& symbol) const {
    const auto fail_symbol = [&](const std::string& message) {
      const bool own = symbol == input.symbol && input.symbol_where.line != 0;
      reject(placed.is_elf ? ErrorCode::elf : ErrorCode::scenario, own ? input.symbol_where : input.where, message,
             own ? input.symbol_line : input.source_line);
    };
    const auto found = std::ranges::find(placed.symbols, symbol, &Symbol::name);
    if (found == placed.symbols.end()) {
      std::vector<std::string_view> names;
      for (const Symbol& known : placed.symbols) names.push_back(known.name);
      const std::string hint = did_you_mean(symbol, names);
      fail_symbol("there is no symbol `" + symbol + "`" + (hint.empty() ? list_of(placed) : hint));
    }
    if (built_.program.find_block(found->address) == nullptr)
      fail_symbol("the symbol `" + symbol + "` is no place in the code");
    if (found->address % 4 != 0) fail_symbol("the symbol `" + symbol + "` is not dword aligned");
    return &*found;
  }

  /// A compiled function: how it ends, and whether its code is complete.
  void enter_function(const CodeInput& input, const Symbol& function) {
    Program& program = built_.program;
    const CodeBlock& block = *program.find_block(function.address);
    const u64 size_bytes = std::min(function.size_bytes, block.end() - function.address);
    check_relocations(input, function, size_bytes == 0 ? block.end() : function.address + size_bytes);
    if (size_bytes == 0) return;

    const u64 end = function.address + size_bytes;
    bool falls_off = true;
    for (u64 address = function.address; address < end;) {
      const auto index = static_cast<std::size_t>((address - block.base) / 4);
      const isa::Instruction instruction = isa::decode(target_.generation, std::span(block.words).subspan(index));
      const u64 next = address + instruction.dwords * u64{4};
      falls_off = true;
      if (instruction.encoding == isa::EncodingClass::scalar) {
        const bool jumps = instruction.insn == isa::Insn::s_setpc_b64;
        built_.returns_by_register = built_.returns_by_register || jumps;
        falls_off = !jumps && !ends_or_branches(instruction);
        if (is_branch_to(instruction, next, end)) program.function_end = end;
      }
      address = next;
    }
    // A function whose code cannot run into its end may be followed at once by another one that it calls.
    if (falls_off) program.function_end = end;
  }

  static bool ends_or_branches(const isa::Instruction& instruction) {
    return instruction.insn == isa::Insn::s_branch || instruction.insn == isa::Insn::s_endpgm;
  }

  static bool is_branch_to(const isa::Instruction& instruction, u64 next, u64 end) {
    for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
      if (operand.kind != isa::OperandKind::branch) continue;
      const auto distance = static_cast<u64>(i64{static_cast<i16>(instruction.simm16)} * 4);
      return next + distance == end;
    }
    return false;
  }

  void check_relocations(const CodeInput& input, const Symbol& function, u64 end) const {
    for (const Relocation& relocation : relocations_) {
      // A relocation patches four or eight bytes.
      if (relocation.address + 8 <= function.address || relocation.address >= end) continue;
      if (relocation.address < function.address) continue;
      fail(input,
           "the code of `" + function.name +
               "` needs a relocation that is not applied: " + relocation_name(relocation.type) + " at " +
               function.name + "+" + hex(relocation.address - function.address) + " against `" + relocation.symbol +
               "`; it uses a global variable or calls a function of another section or file",
           ErrorCode::elf);
    }
  }

  const Target& target_;
  std::string symbol_;
  BuiltProgram built_;
  std::vector<PlacedBlock> placed_;
  std::vector<ElfImage> images_;
  std::vector<Relocation> relocations_;
  u64 next_base_ = default_base;
  u64 code_bytes_ = 0;
};

}  // namespace

const Target* choose_target(const std::vector<CodeInput>& inputs, const Target* named, std::string_view named_by,
                            const SourcePlace& where) {
  const Target* chosen = named;
  std::string chosen_by = named == nullptr ? "" : std::string(named_by) + " says " + std::string(named->name);
  for (const CodeInput& input : inputs) {
    if (input.kind != CodeInput::Kind::elf) continue;
    const Target* own = read_elf(input.text, input.file).target;
    if (chosen != nullptr && chosen->generation != own->generation) {
      reject(ErrorCode::target, {input.file},
             "the object is for " + std::string(own->name) + " (" + std::string(generation_name(own->generation)) +
                 "), but " + chosen_by + " (" + std::string(generation_name(chosen->generation)) + ")");
    }
    if (chosen == nullptr) {
      chosen = own;
      chosen_by = input.file + " is for " + std::string(own->name);
    }
  }
  if (chosen == nullptr) {
    reject(ErrorCode::target, where,
           "no target: say which processor the code is for with `target:` or --mcpu (`salu targets` lists them)");
  }
  return chosen;
}

BuiltProgram build_program(std::vector<CodeInput> inputs, const Target& target, const std::string& symbol) {
  return Builder(target, symbol).build(std::move(inputs));
}

Program place_code(std::vector<CodeInput> inputs, const Target& target) {
  return Builder(target, {}).build_without_entry(std::move(inputs));
}

}  // namespace salu::loader
