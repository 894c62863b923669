#include "loader/launch/kernel_launch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "isa/generations.hpp"
#include "isa/vector/semantics/address.hpp"
#include "loader/assembly/text_object.hpp"
#include "loader/launch/argument_list.hpp"
#include "loader/launch/kernel_arguments.hpp"
#include "loader/launch/kernel_code.hpp"
#include "loader/launch/kernel_descriptor.hpp"
#include "loader/launch/kernel_dispatch.hpp"
#include "loader/launch/object_kernels.hpp"
#include "loader/number.hpp"
#include "loader/objects/entry_function.hpp"
#include "loader/objects/scratch_memory.hpp"
#include "loader/rejection.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 8> kernel_keys = {"name",      "args", "workgroup_id", "workgroup_size",
                                                         "grid_size", "wave", "waves",        "dispatch_id"};
constexpr u64 page_alignment = 4096;
constexpr u64 most_workgroups = u64{1} << 20;
constexpr u32 dynamic_stack_bytes = 16384;
constexpr u64 smallest_kernarg_alignment = 64;
constexpr u64 kernarg_granularity = 16;

// The kernel dispatch packet of the HSA platform system architecture specification, 64 bytes.
constexpr u64 packet_bytes = 64;
constexpr u64 packet_header = 2 | 2 << 9 | 2 << 11;  // kernel dispatch; acquire and release at system scope

// amd_queue_t: the apertures that GFX7 and GFX8 read from it, in the part with a stable layout.
constexpr u64 queue_bytes = 256;
constexpr u64 queue_shared_base_hi = 0x40;
constexpr u64 queue_private_base_hi = 0x44;

class Bytes {
 public:
  explicit Bytes(u64 size_bytes) : bytes_(size_bytes) {}
  void put(u64 offset, u64 value, u32 size_bytes) {
    for (u32 i = 0; i < size_bytes; ++i) bytes_[offset + i] = static_cast<u8>(value >> (8 * i));
  }
  [[nodiscard]] const std::vector<u8>& get() const { return bytes_; }

 private:
  std::vector<u8> bytes_;
};

/// Scratch memory of a work-group, with a part for each wave.
struct Scratch {
  u64 base = 0;
  u32 item_bytes = 0;
  u64 wave_bytes = 0;
  u64 size_bytes = 0;
};

/// The initial state that all waves of a dispatch share, and the parts that differ.
struct WaveLaunch {
  Generation generation{};
  KernelDescriptor descriptor;
  Scratch scratch;
  LaunchRegisters common;

  /// Sets the initial state of a wave.
  void start(const Dispatch& dispatch, WaveState& state) const {
    LaunchRegisters registers = common;
    registers.workgroup_id = dispatch.workgroup_id;
    registers.workgroup_info = u32{dispatch.wave == 0} << 31 | (dispatch.waves() & 63);
    const u64 wave_offset = dispatch.wave * scratch.wave_bytes;
    registers.scratch_wave_offset = static_cast<u32>(wave_offset);
    registers.flat_scratch = scratch.base + wave_offset;
    registers.exec = dispatch.exec();
    registers.work_items = dispatch.work_items();
    registers.several_waves = dispatch.waves() > 1;
    set_launch_registers(descriptor, registers, generation, state);
  }
  /// A wave. `before`: the state before the launch.
  [[nodiscard]] DispatchedWave wave(const Dispatch& dispatch, const WaveState& before) const {
    const auto& id = dispatch.workgroup_id;
    DispatchedWave result{before, fmt::format("wave {} of work-group [{}, {}, {}]", dispatch.wave, id[0], id[1], id[2]),
                          dispatch.wave == 0};
    start(dispatch, result.initial);
    return result;
  }
};

/// All waves of a grid, with the work-groups in the order of their ids; x is the fastest dimension.
class GridOfWaves {
 public:
  GridOfWaves(WaveLaunch launch, WaveState before, const Dispatch& dispatch)
      : launch_(std::move(launch)), before_(std::move(before)), dispatch_(dispatch), first_waves_{0} {
    for (u64 group = 0; group < dispatch.workgroups(); ++group)
      first_waves_.push_back(first_waves_.back() + dispatch.workgroup(group).waves());
  }

  [[nodiscard]] u64 count() const { return first_waves_.back(); }
  [[nodiscard]] DispatchedWave wave(u64 number) const {
    const auto behind = std::ranges::upper_bound(first_waves_, number);
    const auto group = static_cast<u64>(behind - first_waves_.begin() - 1);
    Dispatch dispatch = dispatch_.workgroup(group);
    dispatch.wave = static_cast<u32>(number - first_waves_[group]);
    return launch_.wave(dispatch, before_);
  }

 private:
  WaveLaunch launch_;
  WaveState before_;  ///< the state before the launch
  Dispatch dispatch_;
  std::vector<u64> first_waves_;  ///< by work-group; the last element is the number of waves
};

class Launcher {
 public:
  Launcher(const Document& document, const KernelChoice& choice, const SymbolIndex& symbols, MemoryReader& contents,
           Scenario& scenario)
      : document_(document),
        choice_(choice),
        metadata_(choice.metadata),
        symbols_(symbols),
        contents_(contents),
        scenario_(scenario),
        generation_(scenario.program.generation()) {}

  void launch() {
    const MapReader map(document_, *choice_.node, "`kernel:`", kernel_keys);
    read_descriptor();
    set_entry();
    dispatch_ = read_dispatch(document_, *choice_.node, metadata_, wave_size(generation_));
    const Node* const waves = map.find("waves");
    if (waves != nullptr) check_waves(map, *waves);
    const Node* const arguments = map.find("args");
    if (!metadata_.knows_arguments) metadata_.arguments = arguments_by_offset(document_, metadata_, arguments);
    KernargSegment segment = read_kernel_arguments({document_, metadata_, symbols_, generation_, contents_},
                                                   *choice_.node, arguments, scenario_.memory);
    place_queue();
    fill_hidden(segment);
    place_kernarg(segment);
    place_scratch();
    place_shared(segment);
    if (launch_.descriptor.has(KernelDescriptor::dispatch_ptr)) place_packet(segment);
    set_registers(segment);
    warn_of_older_layout();
    start_waves(waves != nullptr);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    document_.fail(*choice_.name_node, message, ErrorCode::elf);
  }

  void check_waves(const MapReader& map, const Node& waves) const {
    if (read_text(document_, waves, "`waves:`") != "all")
      document_.fail(waves, "`waves:` must be `all` (all waves of the grid); use `wave:` to select one");
    for (const std::string_view key : {"wave", "workgroup_id"}) {
      const Node* const other = map.find(key);
      if (other != nullptr)
        document_.fail(*other, fmt::format("`{}:` selects a wave, but `waves: all` runs all waves", key));
    }
    if (dispatch_.workgroups() > most_workgroups) {
      document_.fail(waves, fmt::format("the grid has {} work-groups; `waves: all` supports at most {}",
                                        dispatch_.workgroups(), most_workgroups));
    }
  }

  void read_descriptor() {
    const std::string& symbol = metadata_.descriptor_symbol;
    const SymbolIndex::Match match = symbols_.find(symbol);
    if (match.count == 0) fail("the object does not contain the kernel descriptor `" + symbol.substr(0, 80) + "`");
    if (match.count > 1) fail("the kernel descriptor `" + symbol.substr(0, 80) + "` has several addresses");
    descriptor_address_ = match.address;
    const bool is_header = metadata_.has_code_header;
    std::vector<u8> bytes(is_header ? KernelCodeHeader::size_bytes : KernelDescriptor::size_bytes);
    if (!scenario_.memory.is_mapped(match.address, bytes.size()))
      fail("the kernel descriptor `" + symbol.substr(0, 80) + "` is outside of the object");
    scenario_.memory.read(match.address, bytes);
    launch_.descriptor = parse_start_of_kernel(bytes, is_header);
    const std::string problem = check_kernel_descriptor(launch_.descriptor, generation_);
    if (!problem.empty())
      fail(fmt::format("the kernel descriptor `{}` cannot be used: {}", symbol.substr(0, 80), problem));
  }

  void set_entry() {
    const u64 entry = descriptor_address_ + static_cast<u64>(launch_.descriptor.start_offset(generation_));
    if (entry % 4 != 0 || scenario_.program.find_block(entry) == nullptr) {
      fail(fmt::format("the entry of the kernel descriptor `{}` is {}, which is not in code",
                       metadata_.descriptor_symbol.substr(0, 80), hex(entry)));
    }
    scenario_.program.entry = entry;
    scenario_.initial.pc = entry;
  }

  u64 map_region(u64 start, u64 size_bytes, u64 alignment, Access access, std::span<const u8> bytes) {
    const auto address = find_free_address(scenario_.memory, start, size_bytes, alignment, generation_);
    if (!address || !scenario_.memory.add_region({*address, size_bytes, access})) {
      document_.fail(*choice_.node,
                     fmt::format("no free address range for {} bytes that the launch needs", size_bytes));
    }
    scenario_.memory.write(*address, bytes);
    return *address;
  }

  void place_queue() {
    const std::vector<KernelArgument>& arguments = metadata_.arguments;
    const bool is_needed =
        launch_.descriptor.has(KernelDescriptor::queue_ptr) ||
        std::ranges::find(arguments, "hidden_queue_ptr", &KernelArgument::value_kind) != arguments.end();
    if (!is_needed) return;
    Bytes queue(queue_bytes);
    const GenerationInfo& info = generation_info(generation_);
    queue.put(queue_shared_base_hi, info.shared_aperture, 4);
    queue.put(queue_private_base_hi, info.private_aperture, 4);
    launch_.common.queue_ptr = map_region(queue_start, queue_bytes, page_alignment, Access::read_write, queue.get());
  }

  void fill_hidden(KernargSegment& segment) const {
    const GenerationInfo& info = generation_info(generation_);
    const HiddenSources sources{launch_.common.queue_ptr, segment.dynamic_group_bytes, info.private_aperture,
                                info.shared_aperture};
    const std::vector<KernelArgument>& arguments = metadata_.arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].is_hidden() || segment.given[i]) continue;
      segment.set(arguments[i], hidden_value(arguments[i].value_kind, dispatch_, sources));
    }
  }

  void place_kernarg(const KernargSegment& segment) {
    if (segment.bytes.empty()) return;
    const u64 alignment = std::max({metadata_.kernarg_alignment, smallest_kernarg_alignment, page_alignment});
    // LLVM uses the alignment of the segment: it may read the last three dwords as four.
    const u64 size_bytes = (segment.bytes.size() + kernarg_granularity - 1) / kernarg_granularity * kernarg_granularity;
    launch_.common.kernarg_ptr = map_region(kernarg_segment_start, size_bytes, alignment, Access::read, segment.bytes);
    const std::vector<std::string> names = argument_names(metadata_);
    const u64 first = u64{launch_.descriptor.preload_offset_dwords()} * 4;
    const u64 end = first + u64{launch_.descriptor.preload_dwords(generation_)} * 4;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const KernelArgument& argument = metadata_.arguments[i];
      const bool is_preloaded = argument.offset < end && argument.offset + argument.size_bytes > first;
      scenario_.arguments.push_back({names[i], launch_.common.kernarg_ptr + argument.offset, argument.size_bytes,
                                     argument.value_kind == "by_value", is_preloaded});
    }
  }

  void place_scratch() {
    constexpr u64 wave_granularity = 1024;
    constexpr u32 most_item_bytes = u32{1} << 31;
    if (launch_.descriptor.private_segment_bytes > most_item_bytes) {
      document_.fail(
          *choice_.node,
          fmt::format(
              "the kernel's descriptor requires {} bytes of scratch memory per work-item, which no processor has",
              launch_.descriptor.private_segment_bytes));
    }
    launch_.scratch.item_bytes = (launch_.descriptor.private_segment_bytes + 3) & ~3U;
    // The stack size of recursive functions is unknown.
    if (launch_.descriptor.has(KernelDescriptor::uses_dynamic_stack)) launch_.scratch.item_bytes += dynamic_stack_bytes;
    const u64 wave_bytes = u64{launch_.scratch.item_bytes} * dispatch_.wave_size;
    launch_.scratch.wave_bytes = (wave_bytes + wave_granularity - 1) / wave_granularity * wave_granularity;
    launch_.scratch.size_bytes = launch_.scratch.wave_bytes * dispatch_.waves();
    if (launch_.scratch.size_bytes == 0) return;
    constexpr u64 most_offset = 0xffffffff;
    if (launch_.scratch.size_bytes - launch_.scratch.wave_bytes > most_offset) {
      document_.fail(
          *choice_.node,
          fmt::format(
              "the {} waves of the work-group need {} bytes of scratch memory, but the offset of a wave has 32 bits",
              dispatch_.waves(), launch_.scratch.size_bytes));
    }
    launch_.scratch.base =
        map_region(scratch_start, launch_.scratch.size_bytes, page_alignment, Access::read_write, {});
    scenario_.private_memory = {launch_.scratch.base, launch_.scratch.size_bytes, Access::read_write};
  }

  void place_shared(const KernargSegment& segment) {
    const u64 size_bytes = u64{launch_.descriptor.group_segment_bytes} + segment.dynamic_group_bytes;
    if (size_bytes == 0) return;
    constexpr u64 most_shared_bytes = u64{160} << 10;  // limit of gfx950; others have less
    if (size_bytes > most_shared_bytes) {
      document_.fail(
          *choice_.node,
          fmt::format("the kernel requires {} bytes of shared memory (LDS) per work-group, which no processor has",
                      size_bytes));
    }
    const u64 block = isa::vector::semantics::lds_block_bytes(generation_);
    const MemoryRegion region{shared_memory_base, (size_bytes + block - 1) / block * block, Access::read_write};
    if (!scenario_.memory.add_region(region)) {
      document_.fail(*choice_.node, fmt::format("the work-group's shared memory at {} overlaps a memory block of the "
                                                "scenario",
                                                hex(shared_memory_base)));
    }
  }

  void place_packet(const KernargSegment& segment) {
    Bytes packet(packet_bytes);
    packet.put(0, packet_header, 2);
    packet.put(2, dispatch_.dimensions, 2);
    for (u32 i = 0; i < 3; ++i) packet.put(4 + 2 * i, dispatch_.workgroup_size[i], 2);
    for (u32 i = 0; i < 3; ++i) packet.put(12 + 4 * i, dispatch_.grid_size[i], 4);
    packet.put(24, launch_.descriptor.private_segment_bytes, 4);
    packet.put(28, u64{launch_.descriptor.group_segment_bytes} + segment.dynamic_group_bytes, 4);
    packet.put(32, descriptor_address_, 8);
    packet.put(40, launch_.common.kernarg_ptr, 8);
    launch_.common.dispatch_ptr =
        map_region(dispatch_packet_start, packet_bytes, page_alignment, Access::read, packet.get());
  }

  void set_registers(const KernargSegment& segment) {
    launch_.common.private_segment_buffer =
        scratch_descriptor(generation_, launch_.scratch.base, launch_.scratch.size_bytes);
    launch_.common.dispatch_id = dispatch_.id;
    launch_.common.group_bytes = u64{launch_.descriptor.group_segment_bytes} + segment.dynamic_group_bytes;
    // If it is not an address: an offset from the base that the hardware adds, and the size for a work-item.
    const bool is_address = generation_info(generation_).flat_scratch_init_is_address;
    const u64 from_base = launch_.scratch.size_bytes == 0 ? 0 : launch_.scratch.base - hidden_private_base;
    launch_.common.flat_scratch_init =
        is_address ? launch_.scratch.base : from_base | u64{launch_.scratch.item_bytes} << 32;
    launch_.common.private_segment_size = launch_.scratch.item_bytes;
    launch_.common.workgroup_counts = dispatch_.workgroups_along();
    const u64 first = u64{launch_.descriptor.preload_offset_dwords()} * 4;
    for (u64 i = 0; i < launch_.descriptor.preload_dwords(generation_); ++i) {
      u32 word = 0;
      for (u64 k = 0; k < 4; ++k) {
        const u64 offset = first + 4 * i + k;
        if (offset < segment.bytes.size()) word |= u32{segment.bytes[offset]} << (8 * k);
      }
      launch_.common.preloaded.push_back(word);
    }
  }

  /// Warns about code for hidden arguments before code object version 5, such as libclc. It loads the work-group size
  /// from the dispatch packet (later versions: from a hidden argument), and the grid offset from the place where later
  /// versions have the numbers of work-groups.
  void warn_of_older_layout() {
    constexpr ByteRange workgroup_size_in_packet{4, 10};
    constexpr u64 block_count_y = 4;
    constexpr u64 end_of_sizes = 16;
    const KernelDescriptor& descriptor = launch_.descriptor;
    const auto count = std::ranges::find(metadata_.arguments, "hidden_block_count_x", &KernelArgument::value_kind);
    if (count == metadata_.arguments.end() || !descriptor.has(KernelDescriptor::dispatch_ptr) ||
        !descriptor.has(KernelDescriptor::kernarg_segment_ptr))
      return;
    const u32 packet = descriptor.has(KernelDescriptor::private_segment_buffer) ? 4 : 0;
    const u32 kernarg = packet + 2 + (descriptor.has(KernelDescriptor::queue_ptr) ? 2 : 0);
    const Program& program = scenario_.program;
    if (!loads_from(program, packet, workgroup_size_in_packet) ||
        !loads_from(program, kernarg, {count->offset + block_count_y, count->offset + end_of_sizes}))
      return;
    scenario_.remarks.push_back(
        {document_.source->place(*choice_.name_node),
         fmt::format("`{}` reads hidden arguments in the layout of code object version 4, as libclc does, but the "
                     "object has those of version 5: get_global_id and others are wrong; compile the kernel and the "
                     "library for version 4 (-mcode-object-version=4)",
                     metadata_.name.substr(0, 80)),
         {}});
  }

  void start_waves(bool all) {
    launch_.generation = generation_;
    if (!all) return start_wave();
    const auto grid = std::make_shared<const GridOfWaves>(launch_, scenario_.initial, dispatch_);
    scenario_.initial = grid->wave(grid->count() - 1).initial;
    scenario_.waves = std::make_shared<const DispatchedWaves>(
        DispatchedWaves{grid->count(), [grid](u64 number) { return grid->wave(number); }});
  }

  /// Starts one wave, with the others of its work-group if they wait for each other.
  void start_wave() {
    const WaveState before = scenario_.initial;
    launch_.start(dispatch_, scenario_.initial);
    if (dispatch_.waves() == 1 || !has_barrier(scenario_.program)) return;
    const auto begin = [launch = launch_, before, dispatch = dispatch_](u64 number) {
      Dispatch of_wave = dispatch;
      of_wave.wave = static_cast<u32>(number);
      return launch.wave(of_wave, before);
    };
    scenario_.group = std::make_shared<const DispatchedWaves>(DispatchedWaves{dispatch_.waves(), begin});
    scenario_.wave_in_group = dispatch_.wave;
  }

  const Document& document_;
  const KernelChoice& choice_;
  KernelMetadata metadata_;
  const SymbolIndex& symbols_;
  MemoryReader& contents_;
  Scenario& scenario_;
  Generation generation_;
  u64 descriptor_address_ = 0;
  Dispatch dispatch_;
  WaveLaunch launch_;
};

/// Returns the kernels of all objects among the blocks.
std::vector<KernelMetadata> kernels_of(const std::vector<CodeInput>& inputs, const Target& target, bool& has_object) {
  std::vector<KernelMetadata> kernels;
  for (const CodeInput& input : inputs) {
    if (input.kind != CodeInput::Kind::elf && !may_have_kernels(input)) continue;
    has_object = true;
    for (KernelMetadata& kernel : kernels_of_input(input, target)) kernels.push_back(std::move(kernel));
  }
  return kernels;
}

}  // namespace

std::string KernelChoice::entry_symbol() const {
  const std::string& symbol = metadata.descriptor_symbol;
  return symbol.ends_with(descriptor_suffix) ? symbol.substr(0, symbol.size() - descriptor_suffix.size()) : symbol;
}

KernelChoice choose_kernel(const Document& document, const Node& node, const std::vector<CodeInput>& inputs,
                           const Target& target, const std::string& symbol) {
  const MapReader map(document, node, "`kernel:`", kernel_keys);
  bool has_object = false;
  std::vector<KernelMetadata> kernels = kernels_of(inputs, target, has_object);
  if (!has_object) {
    document.fail(node,
                  "`kernel:` starts a kernel of an object: `code:` must name one, as in `code: {file: kernel.o}`");
  }
  if (kernels.empty()) {
    document.fail(
        node,
        "the object does not contain kernels: neither an NT_AMDGPU_METADATA note, as in code for amdhsa, nor a "
        "kernel with an amd_kernel_code_t before its code, as in older code and code for Mesa",
        ErrorCode::elf);
  }
  std::vector<std::string_view> names;
  for (const KernelMetadata& kernel : kernels) names.push_back(kernel.name);

  KernelChoice choice;
  choice.node = &node;
  choice.name_node = map.find("name");
  if (choice.name_node == nullptr) {
    choice.name_node = &node;
    if (kernels.size() > 1)
      document.fail(node, "`kernel:` needs a `name:`; the object has " + support::first_names(names));
    choice.metadata = std::move(kernels.front());
  } else {
    const std::string name = support::printable(read_text(document, *choice.name_node, "`name:`"));
    const auto found = std::ranges::find(kernels, name, &KernelMetadata::name);
    if (found == kernels.end()) {
      const std::string hint = did_you_mean(name, names);
      document.fail(*choice.name_node,
                    fmt::format("unknown kernel `{}`{}", name,
                                hint.empty() ? "; the object has " + support::first_names(names) : hint),
                    ErrorCode::elf);
    }
    choice.metadata = std::move(*found);
  }
  const auto is_other = [&](const std::string& named) {
    return !named.empty() && named != choice.metadata.name && named != choice.entry_symbol();
  };
  if (is_other(symbol)) {
    reject(ErrorCode::usage, {"--symbol " + symbol},
           "cannot be used: the scenario starts its kernel `" + choice.metadata.name + "` (`kernel:`)");
  }
  for (const CodeInput& input : inputs) {
    if (!is_other(input.symbol)) continue;
    reject(ErrorCode::scenario, input.symbol_where,
           fmt::format("`symbol:` starts at `{}`, but `kernel:` at `{}`; remove one of them", input.symbol,
                       choice.metadata.name),
           input.symbol_line);
  }
  return choice;
}

void launch_kernel(const Document& document, const KernelChoice& choice, const SymbolIndex& symbols,
                   MemoryReader& contents, Scenario& scenario) {
  Launcher(document, choice, symbols, contents, scenario).launch();
}

}  // namespace salu::loader
