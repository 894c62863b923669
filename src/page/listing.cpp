#include "page/listing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
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
    executed.flow = isa::flow_of(isa::decode(event.generation, event.words));
    executed.text = instruction_text(event);
    executed.first_step = event.step;
    all_.push_back(std::move(executed));
  }
  Executed& executed = all_[found->second];
  ++executed.count;
  executed.last_step = event.step;
  return found->second;
}

void ExecutionCounts::go_on(u32 number, u64 next_pc, bool stacked) {
  Executed& executed = all_[number];
  executed.stacked += stacked ? 1 : 0;
  if (next_pc == executed.pc + executed.size_bytes) {
    ++executed.fell_through;
    return;
  }
  ++executed.jumped;
  executed.stacked_jumps += stacked ? 1 : 0;
  const auto found = executed.targets.find(next_pc);
  if (found != executed.targets.end()) {
    ++found->second;
  } else if (executed.targets.size() < most_targets) {
    executed.targets.emplace(next_pc, 1);
  }
}

std::optional<u32> ExecutionCounts::find(u64 pc) const {
  const auto found = numbers_.find(pc);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// All instructions of the program. If an executed instruction starts within the one before it, the latter is data.
std::vector<ListingLine> list_all(const Program& program, const ExecutionCounts& counts) {
  std::map<u64, u32> executed;
  for (u32 i = 0; i < counts.all().size(); ++i) executed.emplace(counts[i].pc, i);
  std::vector<ListingLine> lines;
  for (const CodeBlock& block : program.code) {
    const std::span<const u32> words = block.words;
    for (std::size_t i = 0; i < words.size();) {
      const isa::Instruction instruction = isa::decode(program.generation(), words.subspan(i));
      ListingLine line;
      line.pc = block.base + i * 4;
      const u64 end = line.pc + u64{instruction.dwords} * 4;
      const auto next = executed.upper_bound(line.pc);
      const u64 next_pc = next == executed.end() ? end : std::min(end, next->first);
      if (const auto found = executed.find(line.pc); found != executed.end()) line.executed = found->second;
      i = std::clamp<std::size_t>((next_pc - block.base) / 4, i + 1, words.size());
      lines.push_back(std::move(line));
    }
  }
  // Instructions that were executed in memory that the program wrote itself.
  for (const auto& [pc, number] : executed) {
    if (program.find_block(pc) != nullptr) continue;
    ListingLine line;
    line.pc = pc;
    line.executed = number;
    lines.push_back(std::move(line));
  }
  std::ranges::stable_sort(lines, {}, &ListingLine::pc);
  return lines;
}

/// The least number of executions for one of `most` lines.
u64 threshold_of(const ExecutionCounts& counts, std::size_t most) {
  std::vector<u64> all;
  for (const Executed& executed : counts.all()) all.push_back(executed.count);
  if (all.size() <= most) return 1;
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(most - 1), std::greater<>());
  return all[most - 1];
}

std::vector<ListingLine> without_cold_lines(std::vector<ListingLine> lines, const ExecutionCounts& counts,
                                            std::size_t most_lines) {
  const u64 threshold = threshold_of(counts, most_lines);
  std::vector<ListingLine> kept;
  std::size_t shown = 0;
  for (ListingLine& line : lines) {
    const u64 count = line.executed ? counts[*line.executed].count : 0;
    if (count >= threshold && shown < most_lines) {
      ++shown;
      kept.push_back(std::move(line));
      continue;
    }
    if (kept.empty() || kept.back().hidden == 0) {
      kept.emplace_back();
      kept.back().pc = line.pc;
    }
    ++kept.back().hidden;
    kept.back().hidden_count += count;
  }
  return kept;
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
  std::vector<ListingLine> lines = list_all(program, counts);
  if (lines.size() > most_lines) lines = without_cold_lines(std::move(lines), counts, most_lines);
  for (ListingLine& line : lines) {
    if (line.hidden == 0) describe(line, program, counts);
  }
  return lines;
}

}  // namespace salu::page
