#include <cstring>
#include <filesystem>
#include <span>

#include "capi/objects.hpp"
#include "isa/unknown_target.hpp"
#include "loader/scenario/one_scenario.hpp"
#include "loader/text_file.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::capi {
namespace {

struct Wanted {
  LoadOptions load;
  loader::ScenarioChoice choice{.takes_table = true, .document_option = "`document`", .row_option = "`row`"};
};

/// Checks the name of a target.
std::string target_of(const char* name) {
  if (find_target(name) != nullptr) return name;
  throw Failure(SALU_BAD_TARGET, isa::unknown_target(name));
}

Wanted wanted_of(const salu_load_options* options) {
  const salu_load_options given = options_of(options);
  Wanted wanted;
  const auto text = [](const char* there) { return there == nullptr ? std::string() : std::string(there); };
  if (given.target != nullptr) wanted.load.mcpu = target_of(given.target);
  wanted.load.symbol = text(given.symbol);
  wanted.load.set = strings_of(given.set, given.set_count, "options.set");
  if (given.root != nullptr) wanted.load.files.root = given.root;
  if (given.max_steps != 0) wanted.load.max_steps = given.max_steps;
  if (given.max_memory_bytes != 0) wanted.load.max_memory_bytes = given.max_memory_bytes;
  wanted.choice.document = text(given.document);
  wanted.choice.row = text(given.row);
  return wanted;
}

salu_scenario* make_scenario(Scenario scenario, const std::vector<std::string>& set) {
  return make_handle<SharedScenario>(std::make_shared<const Scenario>(std::move(scenario)), set);
}

salu_scenario* pick(std::vector<Result<Scenario>> loaded, const std::string& name, const Wanted& wanted) {
  const std::vector<std::string>& set = wanted.load.set;
  return make_scenario(value_of(loader::choose_one(std::move(loaded), name, wanted.choice, set)), set);
}

}  // namespace
extern "C" {

salu_status salu_load_file(const char* path, const salu_load_options* options, salu_scenario** scenario) {
  return guarded([&] {
    needed(scenario, "scenario");
    const Wanted wanted = wanted_of(options);
    const std::string name = needed_text(path, "path");
    *scenario = pick(load_file(name, wanted.load), name, wanted);
  });
}

salu_status salu_load_bytes(const void* bytes, size_t size, const char* name, const salu_load_options* options,
                            salu_scenario** scenario) {
  return guarded([&] {
    needed(scenario, "scenario");
    if (size != 0) needed_bytes(bytes, "bytes");
    const Wanted wanted = wanted_of(options);
    std::string contents(static_cast<const char*>(bytes), size);
    const std::string called = needed_text(name, "name");
    *scenario = pick(load_bytes(std::move(contents), called, wanted.load), called, wanted);
  });
}

salu_status salu_assemble(const char* text, const char* target, salu_scenario** scenario) {
  return guarded([&] {
    needed(scenario, "scenario");
    Wanted wanted;
    wanted.load.mcpu = target_of(needed_text(target, "target"));
    const std::string name = "<text>.s";
    *scenario = pick(load_bytes(needed_text(text, "text"), name, wanted.load), name, wanted);
  });
}

salu_status salu_load_words(const uint32_t* words, size_t count, const char* target, salu_scenario** scenario) {
  return guarded([&] {
    needed(scenario, "scenario");
    if (count != 0) needed(words, "words");
    Wanted wanted;
    wanted.load.mcpu = target_of(needed_text(target, "target"));
    const std::string name = "<words>.bin";
    std::string contents;
    if (count > loader::file_limit_bytes / sizeof(uint32_t))
      throw Failure(SALU_BAD_WORDS, "more than " + std::to_string(loader::file_limit_bytes >> 20) + " MiB of code");
    for (std::size_t i = 0; i < count; ++i) {
      for (u32 shift = 0; shift < 32; shift += 8) contents += static_cast<char>(words[i] >> shift & 0xff);
    }
    *scenario = pick(load_bytes(std::move(contents), name, wanted.load), name, wanted);
  });
}

salu_status salu_load_each(const char* path, const salu_load_options* options, salu_load_callback* callback,
                           void* user) {
  return guarded([&] {
    needed(callback, "callback");
    const Wanted wanted = wanted_of(options);
    if (!wanted.choice.document.empty() || !wanted.choice.row.empty())
      throw Failure(SALU_INVALID_ARGUMENT,
                    "options.document and options.row must be NULL: all documents are loaded, with all their rows");
    load_each(needed_text(path, "path"), wanted.load, [&](Result<Scenario> loaded) {
      salu_scenario* scenario = nullptr;
      const salu_status status =
          guarded([&] { scenario = make_scenario(value_of(std::move(loaded)), wanted.load.set); });
      if (call_back(callback, user, status, scenario) != 0) throw Cancelled();
    });
  });
}

salu_status salu_scenario_free(salu_scenario* scenario) { return free_handle<SharedScenario>(scenario); }

salu_status salu_scenario_copy(const salu_scenario* scenario, salu_scenario** copy) {
  return guarded([&] {
    needed(copy, "copy");
    const std::shared_ptr<SharedScenario> object = object_of<SharedScenario>(scenario);
    *copy = make_handle<SharedScenario>(object->get(), object->set());
  });
}

salu_status salu_scenario_info_of(const salu_scenario* scenario, salu_scenario_info* info) {
  return guarded([&] {
    const std::shared_ptr<SharedScenario> object = object_of<SharedScenario>(scenario);
    const std::shared_ptr<const Scenario> there = object->get();
    salu_scenario_info& known = sized(info, "info");
    known.name = object->names().name.c_str();
    known.file = object->names().file.c_str();
    known.target = object->names().target.c_str();
    known.generation = object->names().generation.c_str();
    known.entry = there->initial.pc;
    known.rows = there->cases == nullptr ? 0 : there->cases->rows();
    known.has_expectation = there->expect && there->expect->says_something() ? 1 : 0;
    known.all_waves = there->waves != nullptr ? 1 : 0;
  });
}

salu_status salu_scenario_row(const salu_scenario* scenario, uint64_t row, salu_scenario** of_row) {
  return guarded([&] {
    needed(of_row, "of_row");
    const std::shared_ptr<SharedScenario> object = object_of<SharedScenario>(scenario);
    const std::shared_ptr<const Scenario> there = object->get();
    if (there->cases == nullptr || row >= there->cases->rows())
      throw Failure(SALU_NOT_FOUND, "`cases:` of the scenario does not have this row");
    const std::vector<std::string>& set = object->set();
    *of_row = make_scenario(value_of(loader::scenario_of_row(*there, static_cast<std::size_t>(row), set)), set);
  });
}

salu_status salu_scenario_remarks(const salu_scenario* scenario, salu_text** text) {
  return guarded([&] {
    needed(text, "text");
    std::string lines;
    for (const Remark& remark : scenario_of(scenario)->remarks) lines += remark.to_string() + "\n";
    *text = make_text(std::move(lines));
  });
}

salu_status salu_scenario_symbol(const salu_scenario* scenario, const char* name, uint64_t* address) {
  return guarded([&] {
    needed(address, "address");
    const std::shared_ptr<const Scenario> there = scenario_of(scenario);
    const Symbol* const symbol = there->program.find_symbol(needed_text(name, "name"));
    if (symbol == nullptr) throw Failure(SALU_NOT_FOUND, "unknown label or symbol " + std::string(name));
    *address = symbol->address;
  });
}

salu_status salu_scenario_argument(const salu_scenario* scenario, const char* name, uint64_t* address,
                                   uint64_t* size_bytes) {
  return guarded([&] {
    needed(address, "address");
    needed(size_bytes, "size_bytes");
    const std::shared_ptr<const Scenario> there = scenario_of(scenario);
    needed_text(name, "name");
    for (const KernelArgumentPlace& argument : there->arguments) {
      if (argument.name != name) continue;
      *address = argument.address;
      *size_bytes = argument.size_bytes;
      return;
    }
    throw Failure(SALU_NOT_FOUND, "the scenario's kernel does not have an argument " + std::string(name));
  });
}

salu_status salu_scenario_set(salu_scenario* scenario, const char* name, uint64_t value) {
  return guarded([&] {
    object_of<SharedScenario>(scenario)->change([&](Scenario& there) {
      const Generation generation = there.program.generation();
      const RegisterName found = named_register(generation, name);
      if ((value & ~support::ones(found.width)) != 0) {
        throw Failure(SALU_INVALID_ARGUMENT, support::hex(value) + " does not fit into the " +
                                                 std::to_string(found.width) + " bits of " + name);
      }
      write_register(there.initial, generation, found, value);
    });
  });
}

salu_status salu_scenario_get(const salu_scenario* scenario, const char* name, uint64_t* value) {
  return guarded([&] {
    needed(value, "value");
    const std::shared_ptr<const Scenario> there = scenario_of(scenario);
    *value = read_register(there->initial, named_register(there->program.generation(), name));
  });
}

salu_status salu_scenario_add_memory(salu_scenario* scenario, uint64_t address, uint64_t size_bytes, int writable) {
  return guarded([&] {
    object_of<SharedScenario>(scenario)->change([&](Scenario& there) {
      const Access access = writable != 0 ? Access::read_write : Access::read;
      const bool is_possible = size_bytes <= Memory::end_address && address <= Memory::end_address;
      if (!is_possible || !there.memory.add_region({address, size_bytes, access})) {
        throw Failure(SALU_INVALID_ARGUMENT,
                      "memory must have at least one byte, end at or below 2^48, and not overlap existing memory");
      }
    });
  });
}

salu_status salu_scenario_write(salu_scenario* scenario, uint64_t address, const void* bytes, size_t size) {
  return guarded([&] {
    const std::shared_ptr<SharedScenario> object = object_of<SharedScenario>(scenario);
    if (size == 0) return;
    needed_bytes(bytes, "bytes");
    object->change([&](Scenario& there) {
      if (size > Memory::end_address || address > Memory::end_address - size || !there.memory.is_mapped(address, size))
        throw Failure(SALU_NOT_FOUND, "some of this memory does not exist");
      there.memory.write(address, {static_cast<const u8*>(bytes), size});
    });
  });
}

salu_status salu_scenario_read(const salu_scenario* scenario, uint64_t address, void* bytes, size_t size) {
  return guarded([&] { read_memory(scenario_of(scenario)->memory, address, bytes, size); });
}
}

}  // namespace salu::capi
