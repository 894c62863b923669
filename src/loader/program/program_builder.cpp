#include "loader/program/program_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "loader/assembly/llvm_assembler.hpp"
#include "loader/assembly/text_assembler.hpp"
#include "loader/assembly/text_object.hpp"
#include "loader/number.hpp"
#include "loader/objects/code_object.hpp"
#include "loader/objects/dwarf_lines.hpp"
#include "loader/objects/entry_function.hpp"
#include "loader/objects/object_target.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"
#include "loader/yaml/reader.hpp"
#include "support/nearest.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

constexpr u64 most_code_bytes = file_limit_bytes;

bool by_place(const Symbol& left, const Symbol& right) {
  return std::tie(left.address, left.name) < std::tie(right.address, right.name);
}

/// A placed block, with the symbols at which it may start.
struct PlacedBlock {
  u64 first = 0;  ///< address of its first instruction
  std::vector<Symbol> symbols;
  std::vector<Symbol> functions;       ///< by address
  std::vector<MissingSymbol> missing;  ///< of an object, by address
  std::vector<std::string> absolute;   ///< of an object: symbols that are not addresses
  bool is_compiled = false;            ///< an object, or a text that describes one: it starts at a function
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

  BuiltProgram build_without_entry(std::vector<CodeInput> inputs) {
    place(inputs);
    return std::move(built_);
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
    if (base % 4 != 0) fail(input, "the base " + hex(base) + " of the code is not a multiple of 4");
    if (base >= address_space_end()) {
      fail(input, fmt::format("the base {} of the code is outside of the address space of {} bits", hex(base),
                              address_bits(target_.generation)));
    }
  }

  /// Adds a block of words. Rejects a block that overlaps an earlier one.
  void add_block(const CodeInput& input, CodeBlock block) {
    code_bytes_ += block.words.size() * 4;
    if (code_bytes_ > most_code_bytes) fail(input, fmt::format("more than {} MiB of code", most_code_bytes >> 20));
    if (block.end() > address_space_end())
      fail(input, "the code at " + hex(block.base) + " extends beyond the address space");
    check_room(input, "code", block.base, block.end());
    next_base_ = align_up(block.end(), block_alignment_bytes);
    built_.program.code.push_back(std::move(block));
  }

  void check_room(const CodeInput& input, std::string_view what, u64 base, u64 end) {
    auto after = occupied_.lower_bound(end);
    if (after != occupied_.begin()) {
      const auto& [other, range] = *std::prev(after);
      if (range.end > base) {
        fail(input, fmt::format("the {} at {} overlaps the {} at {}; give one of them another `base:`", what,
                                range_text(base, end), range.what, range_text(other, range.end)));
      }
    }
    occupied_.emplace_hint(after, base, Occupied{end, what});
  }

  PlacedBlock add_words(const CodeInput& input, u64 base, std::vector<u32> words) {
    if (words.empty()) fail(input, "the code contains no instructions");
    add_block(input, {base, std::move(words)});
    return {base, {}, {}, {}, {}, false};
  }

  PlacedBlock add_assembly(const CodeInput& input, u64 base) {
    AssembledText text = assemble_text(input, target_, base);
    std::ranges::move(text.remarks, std::back_inserter(built_.remarks));
    if (!text.errors.empty()) {
      text.remarks = std::move(built_.remarks);
      reject_text(std::move(text));
    }
    if (text.by_llvm()) return add_object_of_text(input, std::move(text.object), base);
    assembler::Assembly& assembly = text.own;
    if (assembly.words.empty()) fail(input, "the text contains no instructions", ErrorCode::assembly);
    add_lines(input, assembly);
    PlacedBlock placed;
    placed.first = add_code_of_text(input, base, assembly);
    for (assembler::AssembledData& data : assembly.data) {
      DataBlock block{data.base, std::move(data.bytes), 0, data.access};
      block.size_bytes = block.bytes.size();
      add_data(input, std::move(block));
    }
    placed.symbols = std::move(assembly.labels);
    for (assembler::SymbolUse& use : assembly.references)
      built_.references.push_back({use.address, std::move(use.text)});
    for (assembler::UnencodedInstruction& each : assembly.unencoded)
      built_.program.unresolved.push_back({each.address, {}, std::move(each.text)});
    // The flags have the format of code object version 4 and later for every system.
    const LoadedObject object = object_of_text(assembly, input, target_);
    add_modes(object, sramecc_of(object.flags, 4));
    if (describes_object(assembly)) describe(input, assembly, placed);
    return placed;
  }

  /// Adds the code of a text without the headers of kernels, which are data, as in an object. The symbol of a kernel
  /// becomes the address of its code, and its header gets the name of a descriptor. Returns the address of the first
  /// instruction.
  u64 add_code_of_text(const CodeInput& input, u64 base, assembler::Assembly& assembly) {
    const auto headers = headers_of_text(assembly, base);
    const auto words = [&](u64 begin, u64 end) {
      const auto at = [&](u64 address) {
        return assembly.words.begin() + static_cast<std::ptrdiff_t>((address - base) / 4);
      };
      return std::vector<u32>(at(begin), at(end));
    };
    u64 done = base;
    u64 first = base;
    for (const auto& [kernel, header] : headers) {
      const u64 end = kernel.address + KernelCodeHeader::size_bytes;
      const u64 entry = kernel.address + static_cast<u64>(header.entry_offset);
      const bool is_in_code = entry >= end && entry < base + assembly.words.size() * 4 && entry % 4 == 0;
      if (!is_in_code || kernel.address < done) {
        fail(input,
             fmt::format("the header of the kernel `{}` (amd_kernel_code_t) {}", kernel.name.substr(0, 80),
                         is_in_code ? "overlaps another kernel"
                                    : fmt::format("has the entry {}, which is not in code", hex(entry))),
             ErrorCode::assembly);
      }
      if (kernel.address != done) add_block(input, {done, words(done, kernel.address)});
      DataBlock block{kernel.address, {}, KernelCodeHeader::size_bytes, Access::read};
      for (const u32 word : words(kernel.address, end)) {
        for (u32 shift = 0; shift < 32; shift += 8) block.bytes.push_back(static_cast<u8>(word >> shift));
      }
      add_data(input, std::move(block));
      for (std::vector<Symbol>* const symbols : {&assembly.labels, &assembly.functions}) {
        const auto named = std::ranges::find(*symbols, kernel.name, &Symbol::name);
        if (named == symbols->end()) continue;
        named->size_bytes -= std::min(named->size_bytes, entry - named->address);
        named->address = entry;
      }
      assembly.labels.push_back(
          {kernel.name + std::string(descriptor_suffix), kernel.address, KernelCodeHeader::size_bytes});
      if (first == kernel.address) first = end;
      done = end;
    }
    const u64 end = base + assembly.words.size() * 4;
    add_block(input, {done, words(done, end)});
    return first;
  }

  /// Adds the properties of the object that a text describes.
  void describe(const CodeInput& input, const assembler::Assembly& assembly, PlacedBlock& placed) {
    LoadedObject object = object_of_text(assembly, input, target_);
    object.symbols = placed.symbols;
    built_.objects.push_back(std::move(object));
    const u64 end = built_.program.code.back().end();
    for (Symbol function : assembly.functions) {
      if (function.address >= end) continue;
      function.size_bytes = std::min(function.size_bytes, end - function.address);
      placed.functions.push_back(function);
      built_.functions.push_back(std::move(function));
    }
    for (const assembler::SymbolUse& use : assembly.unresolved) {
      built_.program.unresolved.push_back({use.address, use.text});
      placed.missing.push_back({use.address, RelocationType::rel32_lo, use.text});
    }
    placed.is_compiled = !placed.functions.empty();
  }

  /// Adds the modes that affect vector memory; with several objects the strictest applies.
  void add_modes(const LoadedObject& object, std::optional<bool> sramecc) {
    constexpr u8 os_amdpal = 65;
    constexpr u8 os_mesa3d = 66;
    if (sramecc && built_.program.sramecc != true) built_.program.sramecc = sramecc;
    if (object.os_abi == os_amdpal || object.os_abi == os_mesa3d) built_.program.allows_unaligned = false;
  }

  /// Adds the object that LLVM's assembler made of a text. It starts at the beginning of the text unless it has
  /// functions.
  PlacedBlock add_object_of_text(const CodeInput& input, std::string bytes, u64 base) {
    CodeInput object = input;
    object.kind = CodeInput::Kind::elf;
    object.text = std::move(bytes);
    PlacedBlock placed = add_elf(object, base, &input);
    placed.is_compiled = !placed.functions.empty();
    return placed;
  }

  void add_lines(const CodeInput& input, const assembler::Assembly& assembly) {
    if (!input.exact_places) return;
    std::vector<u32> files;
    for (const std::string& file : assembly.files) files.push_back(number_of_file(file));
    for (const LineEntry& entry : assembly.lines)
      built_.program.lines.push_back({entry.address, files[entry.file], entry.line});
  }

  u32 number_of_file(const std::string& file) {
    std::vector<std::string>& files = built_.program.files;
    const auto known = std::ranges::find(files, file);
    if (known != files.end()) return static_cast<u32>(known - files.begin());
    files.push_back(file);
    return static_cast<u32>(files.size() - 1);
  }

  void add_data(const CodeInput& input, DataBlock block) {
    if (block.end() > address_space_end())
      fail(input, "the data at " + hex(block.base) + " extends beyond the address space");
    check_room(input, "data", block.base, block.end());
    next_base_ = std::max(next_base_, align_up(block.end(), block_alignment_bytes));
    built_.data.push_back(std::move(block));
  }

  /// Adds an object. `text` is the assembly that it was made of, if any.
  PlacedBlock add_elf(const CodeInput& input, u64 base, const CodeInput* text = nullptr) {
    const ElfImage image = read_elf(input.text, input.file);
    PlacedObject object = place_object(image, base, address_space_end(), most_code_bytes, input);
    if (object.code.empty()) fail(input, "the object does not contain code", ErrorCode::elf);
    add_source_lines(input, image, object, base, text);
    PlacedBlock placed;
    placed.is_compiled = true;
    placed.first = object.code.front().base;
    for (CodeBlock& block : object.code) add_block(input, std::move(block));
    for (DataBlock& block : object.data) add_data(input, std::move(block));
    next_base_ = align_up(object.end, block_alignment_bytes);
    built_.objects.push_back(
        {input.file, image.os_abi, image.code_object_version, image.flags, object.symbols, image.notes});
    add_modes(built_.objects.back(), sramecc_of(image.flags, image.code_object_version));
    if (const std::optional<bool> xnack = xnack_of(image); xnack && built_.program.xnack != true)
      built_.program.xnack = xnack;
    std::ranges::move(object.references, std::back_inserter(built_.references));
    std::ranges::move(object.relocations, std::back_inserter(built_.relocations));
    for (MissingSymbol& missing : object.missing) {
      built_.program.unresolved.push_back({missing.address, missing.symbol});
      placed.missing.push_back(std::move(missing));
    }
    built_.functions.insert(built_.functions.end(), object.functions.begin(), object.functions.end());
    placed.symbols = std::move(object.symbols);
    placed.functions = std::move(object.functions);
    placed.absolute = image.absolute_symbols;
    return placed;
  }

  void add_source_lines(const CodeInput& input, const ElfImage& image, const PlacedObject& object, u64 base,
                        const CodeInput* text) {
    if (!image.has_source_lines || (text != nullptr && !text->exact_places)) return;
    const SourceLines source = read_source_lines(image, input.text, {base, object.section_addresses, object.code});
    if (!source.problem.empty()) {
      built_.remarks.push_back(
          {{input.file}, "the debugging information cannot be read and is ignored: " + source.problem, {}});
    }
    Program& program = built_.program;
    const auto first = static_cast<u32>(program.files.size());
    program.files.insert(program.files.end(), source.files.begin(), source.files.end());
    for (const LineEntry& entry : source.lines) {
      const bool is_of_text =
          text != nullptr && std::filesystem::path(source.files[entry.file]).filename() == llvm_stdin_name;
      const u32 file = is_of_text ? number_of_file(text->file) : first + entry.file;
      program.lines.push_back({entry.address, file, entry.line + (is_of_text ? text->first_line - 1 : 0)});
    }
  }

  void sort() {
    Program& program = built_.program;
    std::ranges::sort(program.code, {}, &CodeBlock::base);
    std::ranges::sort(program.symbols, by_place);
    std::ranges::sort(program.lines, {}, &LineEntry::address);
    std::ranges::sort(program.unresolved, {}, &Unresolved::address);
    std::ranges::sort(built_.data, {}, &DataBlock::base);
    std::ranges::sort(built_.references, {}, &Reference::address);
    std::ranges::sort(built_.relocations, {}, &PlacedRelocation::address);
    std::ranges::sort(built_.functions, by_place);
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
    // Unknown symbol: the error is about the block that would be entered otherwise.
    if (chosen == inputs.size()) chosen = 0;
    enter(inputs[chosen], placed_[chosen], symbol_);
  }

  void enter(const CodeInput& input, const PlacedBlock& placed, const std::string& symbol) {
    const Symbol* start = nullptr;
    if (!symbol.empty()) {
      start = find_start(input, placed, symbol);
      remark_on_namesakes(input, placed, *start);
    } else if (placed.is_compiled) {
      if (placed.functions.empty()) {
        fail(input,
             "the object does not contain a function to start at; name a symbol (`symbol:` or --symbol)" +
                 list_of(placed),
             ErrorCode::elf);
      }
      start = &placed.functions.front();
      remark_on_choice(input, placed);
    }
    if (start != nullptr) check_start(input, placed, *start);
    built_.program.entry = start == nullptr ? placed.first : start->address;
    if (start != nullptr && placed.is_compiled) enter_function(input, placed, *start);
  }

  /// Adds a warning that the object has other functions than the first one.
  void remark_on_choice(const CodeInput& input, const PlacedBlock& placed) {
    const Symbol& first = placed.functions.front();
    const bool is_alone = std::ranges::all_of(
        placed.functions, [&](const Symbol& function) { return function.address == first.address; });
    if (is_alone) return;
    built_.remarks.push_back(
        {input.where,
         fmt::format(
             "no symbol given: starting at the first function, `{}`; select another one with `symbol:` or --symbol{}",
             first.name, list_of(placed)),
         input.source_line});
  }

  /// Adds a warning that the name is ambiguous, usually because of local functions in several linked files.
  void remark_on_namesakes(const CodeInput& input, const PlacedBlock& placed, const Symbol& start) {
    std::set<u64> others;
    const bool is_function = std::ranges::find(placed.functions, start.name, &Symbol::name) != placed.functions.end();
    for (const PlacedBlock& block : placed_) {
      for (const Symbol& symbol : is_function ? block.functions : block.symbols) {
        if (symbol.name == start.name && symbol.address != start.address) others.insert(symbol.address);
      }
    }
    if (others.empty()) return;
    built_.remarks.push_back(
        {input.where,
         fmt::format("`{}` is the name of {}; the run starts at {}; use `--set pc={}` to start at another one",
                     start.name, support::counted(others.size() + 1, "place"), hex(start.address),
                     hex(*others.begin())),
         input.source_line});
  }

  static std::string list_of(const PlacedBlock& placed) {
    const std::vector<Symbol>& symbols = placed.functions.empty() ? placed.symbols : placed.functions;
    if (symbols.empty()) return "; the code does not have symbols";
    std::vector<std::string_view> names;
    for (const Symbol& symbol : symbols) names.push_back(symbol.name);
    return "; the code has " + support::first_names(names);
  }

  [[noreturn]] void fail_start(const CodeInput& input, const PlacedBlock& placed, const std::string& symbol,
                               const std::string& message) const {
    const bool own = symbol == input.symbol && input.symbol_where.line != 0;
    reject(placed.is_compiled ? ErrorCode::elf : ErrorCode::scenario, own ? input.symbol_where : input.where, message,
           own ? input.symbol_line : input.source_line);
  }

  const Symbol* find_start(const CodeInput& input, const PlacedBlock& placed, const std::string& symbol) const {
    // Functions first: a variable may have the same name as a function of another file.
    const auto function = std::ranges::find(placed.functions, symbol, &Symbol::name);
    if (function != placed.functions.end()) return &*function;
    const auto found = std::ranges::find(placed.symbols, symbol, &Symbol::name);
    if (std::ranges::find(placed.absolute, symbol) != placed.absolute.end() && found == placed.symbols.end()) {
      fail_start(
          input, placed, symbol,
          fmt::format("the symbol `{}` is a number (SHN_ABS), not an address in the code{}", symbol, list_of(placed)));
    }
    if (found == placed.symbols.end()) {
      std::vector<std::string_view> names;
      for (const Symbol& known : placed.symbols) names.push_back(known.name);
      const std::string hint = did_you_mean(symbol, names);
      fail_start(input, placed, symbol,
                 fmt::format("unknown symbol `{}`{}", symbol, hint.empty() ? list_of(placed) : hint));
    }
    return &*found;
  }

  void check_start(const CodeInput& input, const PlacedBlock& placed, const Symbol& start) const {
    const auto fail_symbol = [&](const char* problem) {
      fail_start(input, placed, start.name, "the symbol `" + start.name + "` is " + problem);
    };
    if (built_.program.find_block(start.address) == nullptr) fail_symbol("not an address in the code");
    if (start.address % 4 != 0) fail_symbol("not dword aligned");
  }

  /// Enters a compiled function: sets its end, and checks that its code is complete.
  void enter_function(const CodeInput& input, const PlacedBlock& placed, const Symbol& function) {
    check_missing(input, placed, function);
    built_.entered = loader::enter_function(built_.program, built_.functions, &function);
  }

  void check_missing(const CodeInput& input, const PlacedBlock& placed, const Symbol& function) const {
    const u64 block_end = built_.program.find_block(function.address)->end();
    const u64 end = function.size_bytes == 0 ? block_end : std::min(block_end, function.address + function.size_bytes);
    const auto missing = std::ranges::lower_bound(placed.missing, function.address, {}, &MissingSymbol::address);
    if (missing == placed.missing.end() || missing->address >= end) return;
    fail(input,
         fmt::format("the code of `{}` refers to `{}`, which the object does not define ({} at {}+{}); link it with "
                     "the object that does: ld.lld -shared",
                     function.name, missing->symbol, relocation_name(static_cast<u32>(missing->type)), function.name,
                     hex(missing->address - function.address)),
         ErrorCode::elf);
  }

  struct Occupied {
    u64 end = 0;
    std::string_view what;
  };

  const Target& target_;
  std::string symbol_;
  BuiltProgram built_;
  std::vector<PlacedBlock> placed_;
  std::map<u64, Occupied> occupied_;  ///< by address
  u64 next_base_ = default_base;
  u64 code_bytes_ = 0;
};

/// The message for an object without a processor, with the default of compilers.
std::string silence_of(const ElfImage& image, const std::string& file) {
  constexpr u8 os_abi_amdhsa = 64;
  return fmt::format(
      "the object {} does not specify its processor (EF_AMDGPU_MACH is 0 in e_flags): specify it with `target:` or "
      "--mcpu. Without -mcpu LLVM generates code for {}",
      file, image.os_abi == os_abi_amdhsa ? "gfx700" : "gfx600");
}

}  // namespace

const Target* choose_target(const std::vector<CodeInput>& inputs, const Target* named, std::string_view named_by,
                            const SourcePlace& where) {
  const Target* chosen = named;
  std::string chosen_by = named == nullptr ? "" : std::string(named_by) + " is " + std::string(named->name);
  std::string silent;  // the message for an object without a processor
  for (const CodeInput& input : inputs) {
    if (input.kind == CodeInput::Kind::assembly && chosen == nullptr) {
      chosen = find_target_of_text(input.text);
      if (chosen != nullptr) chosen_by = input.file + " is for " + std::string(chosen->name);
    }
    if (input.kind != CodeInput::Kind::elf) continue;
    const ElfImage image = read_elf(input.text, input.file);
    const Target* const own = image.target;
    if (own == nullptr) {
      if (silent.empty()) silent = silence_of(image, input.file);
      continue;
    }
    if (chosen != nullptr && chosen->generation != own->generation) {
      reject(ErrorCode::target, where,
             fmt::format("the object {} is for {} ({}), but {} ({})", input.file, own->name,
                         generation_name(own->generation), chosen_by, generation_name(chosen->generation)));
    }
    if (chosen == nullptr) {
      chosen = own;
      chosen_by = input.file + " is for " + std::string(own->name);
    }
  }
  if (chosen == nullptr && !silent.empty()) reject(ErrorCode::target, where, silent);
  if (chosen == nullptr) {
    reject(ErrorCode::target, where,
           "missing target: specify the processor with `target:` or --mcpu (`salu targets` lists them)");
  }
  return chosen;
}

BuiltProgram build_program(std::vector<CodeInput> inputs, const Target& target, const std::string& symbol) {
  return Builder(target, symbol).build(std::move(inputs));
}

BuiltProgram place_code(std::vector<CodeInput> inputs, const Target& target) {
  return Builder(target, {}).build_without_entry(std::move(inputs));
}

}  // namespace salu::loader
