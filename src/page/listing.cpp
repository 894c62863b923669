#include "page/listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"

namespace salu::page {

u32 ExecutionCounts::add(const TraceEvent& event) {
  const auto [found, is_new] = numbers_.try_emplace(event.pc, static_cast<u32>(all_.size()));
  if (is_new) {
    Executed executed;
    executed.pc = event.pc;
    executed.size_bytes = static_cast<u32>(event.words.size() * 4);
    executed.flow = isa::flow_of(*event.instruction);
    executed.text = instruction_text(event);
    executed.first_step = event.step;
    all_.push_back(std::move(executed));
  }
  Executed& executed = all_[found->second];
  ++executed.count;
  executed.last_step = event.step;
  return found->second;
}

void Executed::go_on(u64 next_pc, bool is_stacked) {
  stacked += is_stacked ? 1 : 0;
  if (next_pc == pc + size_bytes) {
    ++fell_through;
    return;
  }
  ++jumped;
  stacked_jumps += is_stacked ? 1 : 0;
  const auto found = targets.find(next_pc);
  if (found != targets.end()) {
    ++found->second;
  } else if (targets.size() < most_targets) {
    targets.emplace(next_pc, 1);
  }
}

std::optional<u32> ExecutionCounts::find(u64 pc) const {
  const auto found = numbers_.find(pc);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// An instruction that may be shown.
struct Place {
  u64 pc = 0;
  std::optional<u32> executed;
};

/// Every instruction of the program. Where one that was executed starts inside of what precedes it, that is data.
std::vector<Place> list_all(const Program& program, const ExecutionCounts& counts) {
  std::vector<Place> executed;
  for (u32 i = 0; i < counts.all().size(); ++i) executed.push_back({counts[i].pc, i});
  std::ranges::sort(executed, {}, &Place::pc);
  std::vector<Place> places;
  for (const CodeBlock& block : program.code) {
    const std::span<const u32> words = block.words;
    for (std::size_t i = 0; i < words.size();) {
      const isa::Instruction instruction = isa::decode(program.generation(), words.subspan(i));
      Place& place = places.emplace_back(Place{block.base + i * 4, {}});
      const u64 end = place.pc + u64{instruction.dwords} * 4;
      auto next = std::ranges::lower_bound(executed, place.pc, {}, &Place::pc);
      if (next != executed.end() && next->pc == place.pc) place.executed = next++->executed;
      const u64 next_pc = next == executed.end() ? end : std::min(end, next->pc);
      i = std::clamp<std::size_t>((next_pc - block.base) / 4, i + 1, words.size());
    }
  }
  // What was executed outside of the program as it was loaded, in memory that it wrote itself.
  std::ranges::copy_if(executed, std::back_inserter(places),
                       [&](const Place& each) { return program.find_block(each.pc) == nullptr; });
  std::ranges::stable_sort(places, {}, &Place::pc);
  return places;
}

/// The least number of executions that a line needs to be one of `most`.
u64 threshold_of(const ExecutionCounts& counts, std::size_t most) {
  std::vector<u64> all;
  for (const Executed& executed : counts.all()) all.push_back(executed.count);
  if (all.size() <= most) return 1;
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(most - 1), std::greater<>());
  return all[most - 1];
}

std::vector<ListingLine> without_cold_lines(std::span<const Place> places, const ExecutionCounts& counts,
                                            std::size_t most_lines) {
  const u64 threshold = places.size() <= most_lines ? 0 : threshold_of(counts, most_lines);
  std::vector<ListingLine> lines;
  std::size_t shown = 0;
  for (const Place& place : places) {
    const u64 count = place.executed ? counts[*place.executed].count : 0;
    const bool is_shown = count >= threshold && shown < most_lines;
    if (is_shown || lines.empty() || lines.back().hidden == 0) lines.emplace_back().pc = place.pc;
    ListingLine& line = lines.back();
    if (is_shown) {
      ++shown;
      line.executed = place.executed;
    } else {
      ++line.hidden;
      line.hidden_count += count;
    }
  }
  return lines;
}

void describe(ListingLine& line, const Program& program, const ExecutionCounts& counts) {
  for (const Symbol& symbol : std::ranges::equal_range(program.symbols, line.pc, {}, &Symbol::address)) {
    line.labels.push_back(symbol.name);
  }
  if (const LineEntry* const entry = program.find_line(line.pc)) {
    line.source = fmt::format("{}:{}", program.files.at(entry->file), entry->line);
  }
  if (line.executed) {
    line.text = counts[*line.executed].text;
    return;
  }
  const CodeBlock& block = *program.find_block(line.pc);
  const isa::LabelResolver label = [&](u64 target) { return program.describe_address(target); };
  line.text =
      isa::disassemble(program.generation(),
                       isa::decode(program.generation(), std::span(block.words).subspan((line.pc - block.base) / 4)),
                       {.address = line.pc, .label = &label});
}

}  // namespace

std::vector<ListingLine> list_program(const Program& program, const ExecutionCounts& counts, std::size_t most_lines) {
  std::vector<ListingLine> lines = without_cold_lines(list_all(program, counts), counts, most_lines);
  for (ListingLine& line : lines) {
    if (line.hidden == 0) describe(line, program, counts);
  }
  return lines;
}

}  // namespace salu::page
