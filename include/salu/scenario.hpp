#pragma once

#include <salu/cases.hpp>
#include <salu/error.hpp>
#include <salu/float_format.hpp>
#include <salu/for_each.hpp>
#include <salu/memory.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// The expected value of a register, compared under a mask.
struct RegisterExpectation {
  std::string text;  ///< the name as written
  RegisterName name;
  u64 value = 0;
  u64 mask = ~u64{0};
  SourcePlace where;
  std::optional<FloatComparison> floats{};  ///< the value consists of one or more numbers
  /// For the low dword of a number of 64 bits in a lane of two vector registers: the high one, which has an expectation
  /// of its own, too.
  std::optional<RegisterName> high{};
  u64 high_value = 0;
  bool is_high = false;  ///< it is compared with the low dword
};

/// The expected bytes of a range of memory.
struct MemoryExpectation {
  u64 address = 0;
  std::vector<u8> bytes;
  SourcePlace where;
  std::optional<FloatComparison> floats{};
};

/// The expectations of a scenario (`expect:`).
struct Expectation {
  SourcePlace where;                        ///< of `stop:`, or of `expect:` without it
  std::optional<StopReason> stop;           ///< empty: end_program, returned or killed
  std::optional<WarningKind> stop_warning;  ///< the name of a warning as the stop reason (--strict)
  std::vector<RegisterExpectation> registers;
  std::vector<MemoryExpectation> memory;
  std::optional<std::vector<WarningKind>> warnings;  ///< exactly the kinds that must appear
  SourcePlace where_warnings;
  std::optional<u64> max_steps;  ///< the most steps that the run may take
  SourcePlace where_steps;

  /// True if there is at least one expectation.
  [[nodiscard]] bool says_something() const {
    return stop || !registers.empty() || !memory.empty() || warnings || max_steps;
  }
};

/// The place of a kernel argument in the kernarg segment.
struct KernelArgumentPlace {
  std::string name;  ///< as `args:` names it
  u64 address = 0;
  u64 size_bytes = 0;
  bool by_value = false;  ///< true if neither a pointer nor hidden
  /// True if the wave starts with at least a part of it in SGPRs: a change in memory alone would not have its effect.
  bool is_preloaded = false;
};

/// One wave of a dispatch.
struct DispatchedWave {
  WaveState initial;
  std::string name;           ///< `wave 1 of work-group [2, 0, 0]`
  bool begins_group = false;  ///< first wave of its work-group: shared memory is cleared
};

/// All waves of a dispatch (`kernel: {waves: all}`), or of one work-group, in the order of their numbers.
struct DispatchedWaves {
  u64 count = 0;
  std::function<DispatchedWave(u64 number)> wave;
};

/// One loaded run: code, initial state, memory, limits, expectations.
struct Scenario {
  std::string name;  ///< `name:`, or the name of the file
  std::string file;
  Program program;
  WaveState initial;  ///< with `waves`: the state of the last wave
  Memory memory;
  Memory code;         ///< code and data of objects as loaded, before a state file changes them
  RunOptions options;  ///< from `limits:` and `on_vector:`
  std::optional<Expectation> expect;
  std::shared_ptr<const CaseTable> cases;        ///< table of `cases:`; null without it
  std::vector<KernelArgumentPlace> arguments;    ///< arguments of `kernel:`, in order; empty without it
  std::shared_ptr<const DispatchedWaves> waves;  ///< waves of `waves: all`; null: one wave
  /// One wave of a kernel with barriers: the waves of its work-group, which all run, and its number among them. Null
  /// for a wave that runs alone.
  std::shared_ptr<const DispatchedWaves> group;
  u64 wave_in_group = 0;
  std::vector<Remark> remarks;                   ///< warnings from loading: the assembler's, or about a chosen entry
  std::optional<MemoryRegion> private_memory{};  ///< scratch memory of the lanes; not a result
  std::optional<std::string> root{};             ///< `FileRules::root`, for source files

  /// True if `run` runs several waves: those of `several_waves`.
  [[nodiscard]] bool runs_several_waves() const { return several_waves() != nullptr; }
  /// The waves that `run` runs; null for one wave.
  [[nodiscard]] const DispatchedWaves* several_waves() const { return group != nullptr ? group.get() : waves.get(); }
  /// The number of waves that `run` runs.
  [[nodiscard]] u64 wave_count() const { return runs_several_waves() ? several_waves()->count : 1; }
  /// The number of the wave whose final state `run` returns if all end regularly.
  [[nodiscard]] u64 reported_wave() const { return group != nullptr ? wave_in_group : wave_count() - 1; }
};

/// Restrictions on files that are read. `root` and `outputs` apply to files that a scenario names (`file:`); `root`
/// also applies to source files that an object names.
struct FileRules {
  std::optional<std::string> root{};   ///< the folder that must contain them after resolving links; empty: any folder
  std::vector<std::string> outputs{};  ///< files that the caller writes, which must not be read
  bool regular_only = false;           ///< reject pipes, devices and standard input, which could block the caller
  std::function<void(const std::string& path)> read{};  ///< called for every file that is opened
};

/// The assembler for assembly text.
enum class Assembler : u8 {
  automatic,  ///< salu's own, falling back to LLVM's (llvm-mc in PATH) for texts that salu's own rejects
  salu,       ///< salu's own
  llvm,       ///< LLVM's
};

/// Options for assembly text.
struct AssemblyOptions {
  std::optional<Assembler> assembler{};        ///< empty: as the scenario specifies, otherwise `automatic`
  std::vector<std::string> include_folders{};  ///< for files of `.include`, after the folder of the text
  std::vector<std::string> symbols{};          ///< symbols defined before the text is read: `n=4`
  std::string features{};                      ///< target features in the syntax of LLVM's -mattr: `-xnack`
  /// The version of LLVM whose tools are used, for example `22`; empty: SALU_LLVM_VERSION, otherwise the newest
  /// installed version.
  std::string llvm{};
};

/// Options of the command line that add to or override every scenario.
struct LoadOptions {
  std::string mcpu{};    ///< empty: the target of the scenario or ELF file, whose generation it must have
  std::string symbol{};  ///< entry symbol; empty: the scenario's, or the first function
  /// A file of code (.s, .hex, .bin, ELF) that replaces the first block of a scenario's `code:`, at the base of that
  /// block; empty: the scenario's own code. The target is then that of --mcpu, otherwise that of the file, otherwise
  /// that of the scenario.
  std::string code_file{};
  std::vector<std::string> set{};         ///< register values, applied last: `s0=7`
  std::string state_file{};               ///< a YAML state dump applied before `set`; may be empty
  std::optional<u64> max_steps{};         ///< instead of the scenario's `limits:`
  std::optional<u64> max_memory_bytes{};  ///< the same
  std::optional<double> max_seconds{};    ///< wall-clock time limit of each run
  std::optional<OnVector> on_vector{};    ///< instead of the scenario's `on_vector:`
  bool check_hazards = false;             ///< true: also if the scenario's `checks:` does not request it
  std::optional<bool> xnack{};            ///< instead of the scenario's `xnack:`
  bool check_races = false;               ///< true: also if the scenario's `checks:` does not request it
  ForEach for_each = for_each_in_turn;    ///< runs the parts of reading a long table of cases
  FileRules files{};
  AssemblyOptions assembly{};
  /// Instead of the scenario's `approximations:`.
  std::optional<Approximations> approximations{};
};

/// Loads every document of a scenario file, an assembly file (.s), hexadecimal words (.hex), binary code (.bin) or an
/// ELF object. Returns one error if the file cannot be read or is not YAML, and one error for each invalid document.
std::vector<Result<Scenario>> load_file(const std::string& path, const LoadOptions& options = {});

/// Loads a file as `load_file` does and passes each scenario to `handle` as soon as it is read. A stream of documents
/// may have any length (`-` is standard input); only the size of a document is limited.
void load_each(const std::string& path, const LoadOptions& options,
               const std::function<void(Result<Scenario>)>& handle);

/// Loads the bytes of such a file. `file` is used in messages, to resolve relative paths and to determine the kind of
/// file.
std::vector<Result<Scenario>> load_bytes(std::string bytes, const std::string& file, const LoadOptions& options = {});

/// Loads bytes as `load_bytes` does, but passes each scenario to `handle` before the next one is loaded, to save
/// memory.
void load_each(std::string bytes, const std::string& file, const LoadOptions& options,
               const std::function<void(Result<Scenario>)>& handle);

/// Loads scenarios from a YAML text. `file` is used in messages and to resolve relative paths.
std::vector<Result<Scenario>> load_yaml(std::string_view text, const std::string& file,
                                        const LoadOptions& options = {});

/// Runs a scenario. With `waves`, all waves run, work-group by work-group unless `RunOptions::schedule` says otherwise,
/// until one does not end regularly. The waves of a work-group share memory and run in turns. The outcome has the state
/// of the last wave that ran, its stop names this wave, and steps and warnings are those of all waves. With `group`,
/// the work-group runs, and the outcome has the state of the wave `wave_in_group`.
Outcome run(const Scenario& scenario, const RunOptions& options);

/// Runs the single wave of a scenario from another initial state.
Outcome run(const Scenario& scenario, const WaveState& start, const RunOptions& options);

/// A failed expectation.
struct Mismatch {
  enum class Kind : u8 { state, stop, warnings, steps, finding };
  SourcePlace where;                   ///< of the expectation
  std::string what;                    ///< `s0`, `memory 0x10000`, `stop`
  std::string expected;                ///< as text; bits that are not compared are marked
  std::string actual;                  ///< as text, in the same form
  Kind kind = Kind::state;             ///< the kind of the expectation
  std::optional<Location> location{};  ///< of `state`: the register or memory
  u64 differing = ~u64{0};             ///< the bits of `location` that differ, as far as known

  /// `s0: expected 0x00000001, got 0x00000002`
  [[nodiscard]] std::string text() const { return what + ": expected " + expected + ", got " + actual; }
};

/// Returns the failed expectations of an outcome; empty if all hold. If hazards or races were checked and there is no
/// expectation about warnings, each finding (`Warning::is_finding`) is a mismatch, in their order.
std::vector<Mismatch> check(const Expectation& expectation, const Outcome& outcome);

}  // namespace salu
