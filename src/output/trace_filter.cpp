#include "output/trace_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "isa/instruction.hpp"
#include "isa/mnemonic_pattern.hpp"
#include "output/trace_formats.hpp"
#include "support/glob.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::output {
namespace {

constexpr std::string_view vector_mnemonic = "vector";

Error wrong(std::string_view option, const std::string& text, std::string message) {
  return Error{ErrorCode::usage, {std::string(option) + " " + text}, std::move(message), {}};
}

/// `0x1010`, `loop`, `loop+0x8`
std::optional<u64> parse_address(std::string_view text, const Program& program) {
  if (const Symbol* const symbol = program.find_symbol(text)) return symbol->address;
  if (const std::optional<u64> number = support::parse_unsigned(text)) return number;
  const std::size_t plus = text.rfind('+');
  if (plus == std::string_view::npos) return std::nullopt;
  const Symbol* const symbol = program.find_symbol(text.substr(0, plus));
  const std::optional<u64> distance = support::parse_unsigned(text.substr(plus + 1));
  if (symbol == nullptr || !distance) return std::nullopt;
  return symbol->address + *distance;
}

/// The end of a symbol: by its size, or at the next symbol or the end of the code.
u64 end_of(const Symbol& symbol, const Program& program) {
  if (symbol.size_bytes != 0) return symbol.address + symbol.size_bytes;
  const CodeBlock* const block = program.find_block(symbol.address);
  const u64 end = block == nullptr ? symbol.address + 4 : block->end();
  const auto next = std::ranges::upper_bound(program.symbols, symbol.address, {}, &Symbol::address);
  return next == program.symbols.end() ? end : std::min(end, next->address);
}

std::string unknown_place(std::string_view name, const Program& program) {
  std::vector<std::string_view> names;
  for (const Symbol& symbol : program.symbols) names.emplace_back(symbol.name);
  return fmt::format("`{}` is not an address, label or symbol of this program{}", name,
                     support::did_you_mean(name, names));
}

}  // namespace

Result<TraceFilter> TraceFilter::make(const TraceSelection& selection, const Program& program) {
  TraceFilter filter;
  filter.first_step_ = selection.first_step;
  filter.last_step_ = selection.last_step;
  for (const std::string& text : selection.mnemonics) {
    if (auto error = filter.add_mnemonic(text, program.generation())) return *std::move(error);
  }
  for (const std::string& text : selection.places) {
    if (auto error = filter.add_place(text, program)) return *std::move(error);
  }
  for (const std::string& text : selection.writes) {
    if (auto error = filter.add_write(text, program.generation())) return *std::move(error);
  }
  return filter;
}

std::optional<Error> TraceFilter::add_mnemonic(const std::string& text, Generation generation) {
  std::string pattern = support::lower_case(text);
  if (const auto problem = isa::mnemonic_pattern_problem(pattern, generation, {&vector_mnemonic, 1}))
    return wrong("--trace-only", text, *problem);
  mnemonics_.push_back(std::move(pattern));
  return std::nullopt;
}

std::optional<Error> TraceFilter::add_place(const std::string& text, const Program& program) {
  std::vector<Range> ranges;
  for (const Symbol& symbol : program.symbols) {
    if (symbol.name == text) ranges.push_back({symbol.address, end_of(symbol, program) - 1});
  }
  if (ranges.empty()) {
    const std::size_t dots = text.find("..");
    const std::string first_text = text.substr(0, dots);
    const std::string last_text = dots == std::string::npos ? first_text : text.substr(dots + 2);
    const std::optional<u64> first = parse_address(first_text, program);
    const std::optional<u64> last = parse_address(last_text, program);
    if (!first || !last) return wrong("--trace-at", text, unknown_place(first ? last_text : first_text, program));
    if (*last < *first) {
      return wrong("--trace-at", text, "the range ends at " + support::hex(*last) + ", before it begins");
    }
    ranges.push_back({*first, *last});
  }
  const auto holds_code = [&](const Range& range) {
    return std::ranges::any_of(
        program.code, [&](const CodeBlock& block) { return range.first < block.end() && block.base <= range.last; });
  };
  if (std::ranges::none_of(ranges, holds_code)) {
    std::string message = "no code there";
    for (std::size_t i = 0; i < program.code.size(); ++i) {
      message += (i == 0 ? "; the code is " : ", ") + support::range_text(program.code[i].base, program.code[i].end());
    }
    return wrong("--trace-at", text, message);
  }
  places_.insert(places_.end(), ranges.begin(), ranges.end());
  return std::nullopt;
}

std::optional<Error> TraceFilter::add_write(const std::string& text, Generation generation) {
  constexpr std::string_view memory = "memory";
  any_write_ = false;
  if (text == memory) {
    memory_writes_.push_back({0, std::numeric_limits<u64>::max()});
    return std::nullopt;
  }
  if (text.starts_with("memory.")) {
    const std::size_t colon = text.find(':');
    const std::string address_text = text.substr(memory.size() + 1, colon - memory.size() - 1);
    const std::optional<u64> address = support::parse_unsigned(address_text);
    const std::optional<u64> bytes = colon == std::string::npos ? 4 : support::parse_unsigned(text.substr(colon + 1));
    if (!address || !bytes || *bytes == 0 || *address + (*bytes - 1) < *address) {
      return wrong("--trace-writes", text, "expected memory.ADDRESS:BYTES, as in memory.0x10000:64");
    }
    memory_writes_.push_back({*address, *address + (*bytes - 1)});
    return std::nullopt;
  }
  std::string problem;
  const std::optional<RegisterName> name = parse_register_name(generation, text, &problem);
  if (!name) return wrong("--trace-writes", text, problem);
  if (name->is_pc()) {
    return wrong("--trace-writes", text,
                 "every instruction writes the PC; --trace-only selects branches by their names");
  }
  const Location trap_addresses{state_index::tba, 4};
  const GenerationInfo& info = generation_info(generation);
  if (!info.trap_addresses_are_operands && overlap(name->location(), trap_addresses))
    return wrong("--trace-writes", text, fmt::format("no instruction of GFX{} writes it", info.gfx));
  writes_.push_back(name->location());
  return std::nullopt;
}

bool TraceFilter::fits_write(const LocationValue& written) const {
  const Location& location = written.location;
  if (!location.is_memory()) {
    return std::ranges::any_of(writes_, [&](const Location& each) { return overlap(each, location); });
  }
  const u64 last = location.address + u64{location.dwords} * 4 - 1;
  return std::ranges::any_of(memory_writes_,
                             [&](const Range& range) { return range.first <= last && location.address <= range.last; });
}

bool TraceFilter::lets_through(const TraceEvent& event) const {
  if (!places_.empty() && std::ranges::none_of(places_, [&](const Range& range) {
        return range.first <= event.pc && event.pc <= range.last;
      })) {
    return false;
  }
  if (!mnemonics_.empty()) {
    const std::string_view mnemonic = mnemonic_of(event);
    if (std::ranges::none_of(mnemonics_,
                             [&](const std::string& each) { return support::fits_pattern(mnemonic, each); }))
      return false;
  }
  return any_write_ ||
         std::ranges::any_of(event.written, [this](const LocationValue& each) { return fits_write(each); }) ||
         std::ranges::any_of(
             writes_, [&](const Location& each) { return each.index >= state_index::vgprs && writes_to(event, each); });
}

}  // namespace salu::output
