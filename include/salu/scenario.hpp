#pragma once

#include <salu/cases.hpp>
#include <salu/error.hpp>
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

/// What a scenario expects of one register: equal under the mask.
struct RegisterExpectation {
  std::string text;  ///< the name as written
  RegisterName name;
  u64 value = 0;
  u64 mask = ~u64{0};
  SourcePlace where;
};

/// What a scenario expects of a range of memory.
struct MemoryExpectation {
  u64 address = 0;
  std::vector<u8> bytes;
  SourcePlace where;
};

/// What a scenario expects of the end of its run (`expect:`).
struct Expectation {
  SourcePlace where;                        ///< of `stop:`, or of `expect:` without it
  std::optional<StopReason> stop;           ///< none: end_program, returned or killed
  std::optional<WarningKind> stop_warning;  ///< a warning's name as the stop reason (--strict)
  std::vector<RegisterExpectation> registers;
  std::vector<MemoryExpectation> memory;
  std::optional<std::vector<WarningKind>> warnings;  ///< the kinds that appear, these and no others
  SourcePlace where_warnings;
  std::optional<u64> max_steps;  ///< the run takes no more than so many
  SourcePlace where_steps;

  /// False for a block without content.
  [[nodiscard]] bool says_something() const {
    return stop || !registers.empty() || !memory.empty() || warnings || max_steps;
  }
};

/// Where an argument of a kernel lies in the kernarg segment.
struct KernelArgumentPlace {
  std::string name;  ///< as `args:` names it
  u64 address = 0;
  u64 size_bytes = 0;
  bool by_value = false;  ///< neither a pointer nor hidden
};

/// One wave of a dispatch.
struct DispatchedWave {
  WaveState initial;
  std::string name;           ///< `wave 1 of work-group [2, 0, 0]`
  bool begins_group = false;  ///< the work-group's shared memory begins anew
};

/// All waves of a dispatch (`kernel: {waves: all}`), in the order in which they run.
struct DispatchedWaves {
  u64 count = 0;
  std::function<DispatchedWave(u64 number)> wave;
};

/// One loaded run: code, initial state, memory, limits, expectations.
struct Scenario {
  std::string name;  ///< `name:` or, without it, the file's
  std::string file;
  Program program;
  WaveState initial;  ///< with `waves` that of the last one
  Memory memory;
  Memory code;         ///< code and data of objects, as they were loaded: a state may have changed them since
  RunOptions options;  ///< from `limits:` and `on_vector:`
  std::optional<Expectation> expect;
  std::shared_ptr<const CaseTable> cases;        ///< of `cases:`; null without it
  std::vector<KernelArgumentPlace> arguments;    ///< of `kernel:`, in order; empty without it
  std::shared_ptr<const DispatchedWaves> waves;  ///< of `waves: all`; null: one wave
  std::vector<Remark> remarks;  ///< what was noticed while loading: the assembler's warnings, a start that was chosen
  std::optional<MemoryRegion> private_memory{};  ///< of the lanes alone (scratch): nobody's result
  std::optional<std::string> root{};  ///< `FileRules::root`: the folder that source files have to lie in, too
};

/// Which files are read. `root` and `outputs` are about those that a scenario names (`file:`); `root` also about source
/// files that an object names.
struct FileRules {
  std::optional<std::string> root{};   ///< the folder that they have to lie in, links resolved; none: any
  std::vector<std::string> outputs{};  ///< files that the caller writes: none of these
  bool regular_only = false;  ///< no pipes, devices and standard input either: whoever waits for one answers nobody
  std::function<void(const std::string& path)> read{};  ///< told of every file that is opened
};

/// Who turns assembly text into code.
enum class Assembler : u8 {
  automatic,  ///< salu's own; LLVM's (llvm-mc, found in PATH) for a text that only that one takes
  salu,       ///< salu's own
  llvm,       ///< LLVM's
};

/// How assembly text is read.
struct AssemblyOptions {
  std::optional<Assembler> assembler{};        ///< none: what the scenario says, else `automatic`
  std::vector<std::string> include_folders{};  ///< searched for files of `.include`, after the folder of the text
  std::vector<std::string> symbols{};          ///< `n=4`: defined before the text is read
  std::string features{};                      ///< of the target, as LLVM's -mattr has them: `-xnack`
  /// The version of LLVM whose tools are asked, as in `22`; empty: SALU_LLVM_VERSION, else the newest that is
  /// installed.
  std::string llvm{};
};

/// What the command line adds to, or overrides in, every scenario.
struct LoadOptions {
  std::string mcpu{};    ///< empty: the scenario's or the ELF's own; these may not be of another generation
  std::string symbol{};  ///< empty: the scenario's, or the first function
  /// A file of code (.s, .hex, .bin, ELF) that takes the place of the first block of a scenario's `code:`, with that
  /// block's base; empty: the scenario's own. Its target is then --mcpu's, else the file's own, else the scenario's.
  std::string code_file{};
  std::vector<std::string> set{};         ///< `s0=7`, applied last
  std::string state_file{};               ///< a YAML state dump applied before `set`; may be empty
  std::optional<u64> max_steps{};         ///< instead of the scenario's `limits:`
  std::optional<u64> max_memory_bytes{};  ///< the same
  std::optional<double> max_seconds{};    ///< of each run, on a clock on the wall
  std::optional<OnVector> on_vector{};    ///< instead of the scenario's `on_vector:`
  bool check_hazards = false;             ///< as well as where the scenario's `checks:` says so
  std::optional<bool> xnack{};            ///< instead of the scenario's `xnack:`
  ForEach for_each = for_each_in_turn;    ///< what long tables of cases are read with
  FileRules files{};
  AssemblyOptions assembly{};
};

/// Loads every document of a scenario file, an assembly file (.s), hexadecimal words (.hex), binary code (.bin) or an
/// ELF object. A file that cannot be read at all, or a stream that is no YAML, gives one error; a document that is
/// wrong gives an error of its own.
std::vector<Result<Scenario>> load_file(const std::string& path, const LoadOptions& options = {});

/// The same one after another: each scenario is handed over as it is read, so that a stream of them may be of any
/// length (`-` is standard input). Only a document has a limit.
void load_each(const std::string& path, const LoadOptions& options,
               const std::function<void(Result<Scenario>)>& handle);

/// The same from the bytes of such a file. `file` is used in messages, to resolve relative paths and to tell the kind.
std::vector<Result<Scenario>> load_bytes(std::string bytes, const std::string& file, const LoadOptions& options = {});

/// What `load_bytes` gives, each scenario handed over before the next is loaded: there need not be memory for all.
void load_each(std::string bytes, const std::string& file, const LoadOptions& options,
               const std::function<void(Result<Scenario>)>& handle);

/// The same from a string, as scenario YAML. `file` is used in messages and to resolve relative paths.
std::vector<Result<Scenario>> load_yaml(std::string_view text, const std::string& file,
                                        const LoadOptions& options = {});

/// Runs a scenario; with `waves` all of them, one after the other on one memory, until one does not end regularly. The
/// state is then that of the last one that ran, and a stop names it; steps and warnings are those of all.
Outcome run(const Scenario& scenario, const RunOptions& options);

/// Runs the one wave of a scenario from another state than its own.
Outcome run(const Scenario& scenario, const WaveState& start, const RunOptions& options);

/// A scenario of one wave: of several (`waves`) the one with this number, counted from 0 in the order in which they
/// run, or without a number the one that `run` would end with; on the memory that those before it left. An error where
/// there is no such wave, or where the run ends before it.
Result<Scenario> isolate_wave(const Scenario& scenario, const RunOptions& options,
                              std::optional<u64> number = std::nullopt);

/// One expectation that did not hold.
struct Mismatch {
  enum class Kind : u8 { state, stop, warnings, steps, hazard };
  SourcePlace where;                   ///< of the expectation
  std::string what;                    ///< `s0`, `memory 0x10000`, `stop`
  std::string expected;                ///< as text; what a mask leaves out is named
  std::string actual;                  ///< as text, in the same form
  Kind kind = Kind::state;             ///< what it is about
  std::optional<Location> location{};  ///< of `state`: the part of it
  u64 differing = ~u64{0};             ///< of that part the bits in which it differs, as far as is known
};

/// Everything in which an outcome differs from what its scenario expects; empty when all holds. Where hazards were
/// looked for and nothing is expected of warnings, each of them is one: in their order, but for those that are
/// `is_info`.
std::vector<Mismatch> check(const Expectation& expectation, const Outcome& outcome);

}  // namespace salu
