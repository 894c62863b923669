/* The C interface of salu: load programs and scenarios, run them, step through them in both directions, run one from
   many states, compare two and prove them equal (docs/reference/c-api.md).

   Handles. Objects are named by handles: pointers that the library validates but never dereferences. NULL, a freed
   handle, a handle of another kind and garbage are rejected with SALU_INVALID_HANDLE. Each kind has a function that
   frees it; freeing NULL has no effect.

   Errors. Functions return SALU_OK or an error code, and write their results only on SALU_OK. The salu_error_*()
   functions describe the last failure of the calling thread until the next failure there. A required pointer that is
   NULL gives SALU_INVALID_ARGUMENT. The library does not print, and does not throw exceptions. Out of memory gives
   SALU_NO_MEMORY; a session then returns it for all later calls, because the state of its run is unknown.

   String arguments are zero-terminated UTF-8, and are copied if they are needed after the call. Returned strings belong
   to their object and live as long as it does, unless documented otherwise.

   Threads. Any function may be called from any thread, with handles that other threads use as well. A scenario may be
   changed while it runs in another thread: runs that have begun do not see the change. Calls on one session wait for
   each other, except salu_session_interrupt(). Outcomes and texts do not change. An object that is freed while a call
   uses it is destroyed after that call, together with the strings that it has returned.

   Structure arguments begin with their size, as in `salu_run_options options = {.struct_size = sizeof options};`: all
   other fields are then 0, which selects the defaults. Later versions may add fields at the end. */
#ifndef SALU_H
#define SALU_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SALU_API __attribute__((visibility("default")))
#else
#define SALU_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A program to run: code, initial state, initial memory, limits and expectations. */
typedef struct salu_scenario salu_scenario;
/* The end of a run, with its final state and memory. */
typedef struct salu_outcome salu_outcome;
/* A run that can move forwards and backwards. */
typedef struct salu_session salu_session;
/* A text that the caller frees. */
typedef struct salu_text salu_text;

/* The status of a call. The numbers do not change. */
typedef enum salu_status {
  SALU_OK = 0,
  SALU_INVALID_HANDLE = 1,   /* not a live handle of the required kind */
  SALU_INVALID_ARGUMENT = 2, /* a required pointer is NULL, a number out of range, a structure of a wrong size */
  SALU_NOT_FOUND = 3,        /* unknown register, memory, label, document, row, breakpoint or warning */
  SALU_CANCELLED = 4,        /* cancelled by the caller: a `cancel` flag, a callback, salu_session_interrupt() */
  SALU_NO_MEMORY = 5,
  SALU_INTERNAL = 6, /* an internal error of salu */
  /* Invalid input; salu_error_file(), salu_error_line() and salu_error_column() return its place. */
  SALU_BAD_USAGE = 16,     /* invalid options, or options that exclude each other */
  SALU_BAD_FILE = 17,      /* a file that cannot be read */
  SALU_BAD_YAML = 18,      /* not well-formed YAML */
  SALU_BAD_SCENARIO = 19,  /* well-formed YAML, but not a valid scenario */
  SALU_BAD_ASSEMBLY = 20,  /* assembly text */
  SALU_BAD_WORDS = 21,     /* hexadecimal words, or binary code */
  SALU_BAD_ELF = 22,       /* an ELF object */
  SALU_BAD_TARGET = 23,    /* an unknown target, or one that contradicts the code */
  SALU_BAD_OVERWRITE = 24, /* a file that is both input and output */
  /* Later versions may add values: a switch needs a default case. */
  SALU_STATUS_LARGEST = 0x7fffffff
} salu_status;

/* ---- the library and its errors ---- */

/* The version, such as `0.2.0`. Never NULL; lives as long as the library. */
SALU_API const char* salu_version(void);
/* The name of a status: `ok`, `invalid_handle`, `bad_assembly`, ...; `unknown` for other numbers. Never NULL; lives as
   long as the library. */
SALU_API const char* salu_status_name(salu_status status);
/* The last failure of the calling thread as text: `file:line:column: error: message`, possibly with further lines.
   Empty before the first failure. Never NULL; valid until the next failure in this thread. */
SALU_API const char* salu_error_message(void);
/* The reason of the last failure, without its place. The same lifetime. */
SALU_API const char* salu_error_reason(void);
/* The file of the last failure, as the caller named it; empty if it is not about a file. The same lifetime. */
SALU_API const char* salu_error_file(void);
/* The line and the column in that file, from 1; 0 if unknown. */
SALU_API uint32_t salu_error_line(void);
SALU_API uint32_t salu_error_column(void);

/* The number of live handles of all kinds, for tests of callers that free them. */
SALU_API size_t salu_live_handles(void);

/* ---- texts ---- */

/* The zero-terminated string of a text; NULL for an invalid handle. Lives as long as the text. */
SALU_API const char* salu_text_data(const salu_text* text);
/* The size of a text in bytes, without the zero; 0 for an invalid handle. */
SALU_API size_t salu_text_size(const salu_text* text);
SALU_API salu_status salu_text_free(salu_text* text);

/* ---- loading ---- */

/* Options for loading. Any string may be NULL. */
typedef struct salu_load_options {
  size_t struct_size;        /* sizeof(salu_load_options) */
  const char* target;        /* `gfx900`; NULL: the target that the file specifies */
  const char* symbol;        /* entry symbol; NULL: that of the scenario, or the first function of an object */
  const char* document;      /* one scenario of several, by its number (from 1) or name; NULL: the only one */
  const char* row;           /* a row of a table of cases, by its number (from 1) or name; NULL: the table */
  const char* const* set;    /* `s0=7`, ...: registers that are set last */
  size_t set_count;          /* number of entries of `set` */
  const char* root;          /* the folder that must contain files named in a scenario; NULL: any */
  uint64_t max_steps;        /* step limit of each run; 0: the scenario's limit, by default 10 million */
  uint64_t max_memory_bytes; /* memory limit of each run; 0: the scenario's limit, by default 512 MiB */
} salu_load_options;

/* Loads a file: a scenario in YAML, assembly (.s), hexadecimal words (.hex), binary code (.bin), an ELF object.
   `options` may be NULL. The caller frees `*scenario`. Errors: all SALU_BAD_*; SALU_BAD_USAGE for an unknown document
   or row. */
SALU_API salu_status salu_load_file(const char* path, const salu_load_options* options, salu_scenario** scenario);

/* Loads the bytes of such a file. The ending of `name` determines the kind of file; messages show `name`, and relative
   paths in the file are resolved against its folder. */
SALU_API salu_status salu_load_bytes(const void* bytes, size_t size, const char* name, const salu_load_options* options,
                                     salu_scenario** scenario);

/* Assembles a text for a target (`gfx900`, `gcn1.2`), as salu_load_bytes() does with the name `<text>.s`. */
SALU_API salu_status salu_assemble(const char* text, const char* target, salu_scenario** scenario);

/* Loads instruction words for a target. */
SALU_API salu_status salu_load_words(const uint32_t* words, size_t count, const char* target, salu_scenario** scenario);

/* Receives a document of a file. `scenario` is NULL if it could not be loaded; `status` and salu_error_message() have
   the reason. The callback must free the scenario. Returns 0 to continue; any other value ends the loading. */
typedef int salu_load_callback(void* user, salu_status status, salu_scenario* scenario);

/* Loads all documents of a file, one after the other. `options->document` must be NULL. Returns SALU_OK if every
   document was passed to the callback, whether it could be loaded or not, and SALU_CANCELLED if the callback ended the
   loading. */
SALU_API salu_status salu_load_each(const char* path, const salu_load_options* options, salu_load_callback* callback,
                                    void* user);

/* Frees a scenario. Its outcomes and sessions stay valid. */
SALU_API salu_status salu_scenario_free(salu_scenario* scenario);
/* Copies a scenario. A copy costs little: large parts are shared until they are written. The caller frees `*copy`. */
SALU_API salu_status salu_scenario_copy(const salu_scenario* scenario, salu_scenario** copy);

/* The properties of a scenario. Strings live as long as the scenario. */
typedef struct salu_scenario_info {
  size_t struct_size;     /* in: sizeof(salu_scenario_info) */
  const char* name;       /* `name:` of the scenario, or the name of the file */
  const char* file;       /* as it was named */
  const char* target;     /* `gfx900` */
  const char* generation; /* `gcn1.4` */
  uint64_t entry;         /* byte address of the first instruction */
  uint64_t rows;          /* number of rows of its table of cases; 0 without a table */
  int32_t has_expectation;
  int32_t all_waves; /* all waves of a grid run, one after the other */
} salu_scenario_info;
SALU_API salu_status salu_scenario_info_of(const salu_scenario* scenario, salu_scenario_info* info);

/* Makes the scenario of one row of the table of cases; rows count from 0. Registers set by `set` of the load options
   keep their values. The caller frees `*of_row`. */
SALU_API salu_status salu_scenario_row(const salu_scenario* scenario, uint64_t row, salu_scenario** of_row);
/* The warnings of the loader and the assembler as lines of text; may be empty. The caller frees `*text`. */
SALU_API salu_status salu_scenario_remarks(const salu_scenario* scenario, salu_text** text);

/* The address of a label or an ELF symbol. SALU_NOT_FOUND for an unknown name. */
SALU_API salu_status salu_scenario_symbol(const salu_scenario* scenario, const char* name, uint64_t* address);
/* The address and the size in bytes of a kernel argument in memory. The bytes of a pointer argument are the address of
   its buffer. */
SALU_API salu_status salu_scenario_argument(const salu_scenario* scenario, const char* name, uint64_t* address,
                                            uint64_t* size_bytes);

/* Sets a register of at most 64 bits in the initial state. SALU_INVALID_ARGUMENT for a value that does not fit. */
SALU_API salu_status salu_scenario_set(salu_scenario* scenario, const char* name, uint64_t value);
/* Returns such a register of the initial state. */
SALU_API salu_status salu_scenario_get(const salu_scenario* scenario, const char* name, uint64_t* value);
/* Adds memory, filled with zeros, that programs may read, and also write if `writable` is not 0. SALU_INVALID_ARGUMENT
   if some of it exists already, for a size of 0, and beyond 2^48. */
SALU_API salu_status salu_scenario_add_memory(salu_scenario* scenario, uint64_t address, uint64_t size_bytes,
                                              int writable);
/* Copies bytes into the initial memory, or out of it. SALU_NOT_FOUND if some of it does not exist. */
SALU_API salu_status salu_scenario_write(salu_scenario* scenario, uint64_t address, const void* bytes, size_t size);
SALU_API salu_status salu_scenario_read(const salu_scenario* scenario, uint64_t address, void* bytes, size_t size);

/* ---- registers ---- */

/* A register, a part of a register, or a lane of a vector register of one generation, as a number that
   salu_register_find() returns for a name. 0 is not a register. */
typedef uint64_t salu_register;

/* Finds a register of at most 64 bits by its name: `s3`, `s[2:3]`, `vcc`, `scc`, `pc`, `mode`, `csp`, `v3[7]`, ...
   SALU_NOT_FOUND if the scenario's target has no such register; the message suggests similar names.
   SALU_INVALID_ARGUMENT for a whole vector register, which salu_outcome_lanes() reads. */
SALU_API salu_status salu_register_find(const salu_scenario* scenario, const char* name, salu_register* found);
/* The width of a register in bits, 1 to 64; 0 for an invalid number. */
SALU_API uint32_t salu_register_bits(salu_register name);

/* ---- running ---- */

/* An executed instruction. All data is valid only during the call. */
typedef struct salu_trace_event {
  uint64_t step; /* counts from 1 */
  uint64_t pc;
  uint64_t next_pc;
  uint32_t word_count;     /* 1 or more */
  const uint32_t* words;   /* the instruction's dwords */
  const char* mnemonic;    /* `s_add_u32` */
  const char* instruction; /* `s_add_u32 s0, s1, s2` */
  const char* reads;       /* `s1=0x00000007 s2=0x00000003` */
  const char* writes;      /* `s0=0x0000000a scc=0` */
  const char* note;        /* control stack operations and warnings; may be empty */
} salu_trace_event;

/* Called for every instruction, in the thread that runs. Returns 0 to continue; any other value ends the run with
   SALU_CANCELLED. The run may execute some thousand more instructions, for which the callback is not called. It may
   call any function of the library, also one that calls it again: callbacks may be nested 16 deep. */
typedef int salu_trace_callback(void* user, const salu_trace_event* event);

/* Checks for undefined values. */
enum { SALU_UNDEFINED_AS_SCENARIO = 0, SALU_UNDEFINED_READS = 1, SALU_UNDEFINED_BITS = 2 };
/* Handling of vector instructions. */
enum { SALU_VECTOR_AS_SCENARIO = 0, SALU_VECTOR_RUN = 1, SALU_VECTOR_STOP = 2, SALU_VECTOR_SKIP = 3 };

/* Options of a run. */
typedef struct salu_run_options {
  size_t struct_size;             /* sizeof(salu_run_options) */
  uint64_t max_steps;             /* 0: the scenario's own limit */
  double max_seconds;             /* wall-clock time; 0: no limit */
  const salu_register* registers; /* set before the run, in this order; the scenario does not change */
  const uint64_t* values;         /* their values */
  size_t register_count;          /* number of registers */
  salu_trace_callback* trace;     /* NULL: no trace */
  void* user;                     /* passed to `trace` */
  /* Polled about a hundred times a second: a value other than 0 ends the call with SALU_CANCELLED. It may be set from
  any thread or signal handler. May be NULL. */
  const volatile int32_t* cancel;
  int32_t check_undefined; /* SALU_UNDEFINED_... */
  int32_t check_hazards;   /* not 0: warn about results that are used before they are ready on hardware */
  int32_t on_vector;       /* SALU_VECTOR_... */
  int32_t strict;          /* not 0: the first warning ends the run */
  int32_t check_races;     /* not 0: warn about data races and divergent barriers */
  /* The rounding of results that hardware approximates: `nearest`, `low`, `high` or `seed 7`; NULL: as the scenario
  specifies. */
  const char* approximations;
} salu_run_options;

/* Runs a scenario without changing it. `options` may be NULL. A fault of the program is not an error of this function:
   the outcome has the stop reason. The caller frees `*outcome`, which may outlive the scenario. SALU_CANCELLED also
   returns an outcome, with the state so far; if the program had not ended, the reason is `time_limit` and the detail
   says that the caller cancelled the run. After any other error `*outcome` is unchanged. */
SALU_API salu_status salu_run(const salu_scenario* scenario, const salu_run_options* options, salu_outcome** outcome);
SALU_API salu_status salu_outcome_free(salu_outcome* outcome);

/* The end of a run. Strings live as long as the outcome. */
typedef struct salu_stop {
  size_t struct_size;      /* in: sizeof(salu_stop) */
  const char* reason;      /* `end_program`, `unmapped_memory`, ... (docs/reference/stops-and-warnings.md) */
  const char* instruction; /* the text of the instruction at `pc`; may be empty */
  const char* detail;      /* a sentence: the operand and what is wrong with it; may be empty */
  const char* place;       /* `0x1008 (loop+0x8, gcd.yaml:12)` */
  uint64_t pc;
  uint64_t steps;     /* executed instructions */
  uint64_t warnings;  /* number of warnings: salu_outcome_warning() */
  int32_t is_regular; /* a regular end: end_program, returned or killed */
  int32_t is_fault;   /* a fault of the program */
} salu_stop;
SALU_API salu_status salu_outcome_stop(const salu_outcome* outcome, salu_stop* stop);

/* A warning about silent hardware behaviour. Strings live as long as the outcome. */
typedef struct salu_warning {
  size_t struct_size;      /* in: sizeof(salu_warning) */
  const char* kind;        /* `dropped_write`, `hazard`, ... */
  const char* instruction; /* its text */
  const char* detail;      /* a sentence */
  uint64_t pc;
} salu_warning;
/* Returns the warning number `index`, from 0. SALU_NOT_FOUND after the last warning. */
SALU_API salu_status salu_outcome_warning(const salu_outcome* outcome, uint64_t index, salu_warning* warning);

/* Returns the value of a register, by its name or by the number from salu_register_find(). */
SALU_API salu_status salu_outcome_get(const salu_outcome* outcome, const char* name, uint64_t* value);
SALU_API salu_status salu_outcome_read_register(const salu_outcome* outcome, salu_register name, uint64_t* value);
/* Sets `*defined` to 1 if the register has been written, otherwise to 0. */
SALU_API salu_status salu_outcome_is_defined(const salu_outcome* outcome, const char* name, int32_t* defined);
/* Copies the 64 lanes of a vector register (v0 is 0, a0 is 256), and a mask of the lanes that have been written.
   `lanes` has space for 64 dwords; `defined` may be NULL. */
SALU_API salu_status salu_outcome_lanes(const salu_outcome* outcome, uint32_t number, uint32_t* lanes,
                                        uint64_t* defined);
/* Copies bytes of the final memory. SALU_NOT_FOUND if some of it does not exist. */
SALU_API salu_status salu_outcome_read(const salu_outcome* outcome, uint64_t address, void* bytes, size_t size);

/* Formats the final state as `text`, as `yaml` that can be loaded again, or as one line of `json`, with the
   expectations that failed (docs/reference/output-formats.md). The caller frees `*text`. */
SALU_API salu_status salu_outcome_report(const salu_outcome* outcome, const char* format, salu_text** text);
/* Returns the number of failed expectations and, unless `text` is NULL, a line for each of them: `place: what: expected
   ..., got ...`. Without expectations the number is 0 and the text is empty. The caller frees `*text`. */
SALU_API salu_status salu_outcome_check(const salu_outcome* outcome, uint64_t* mismatches, salu_text** text);

/* ---- sessions: positions 0 to N are between instructions, step n is the n-th instruction, counted from 1 ---- */

/* Opens a session at position 0 on a copy of the scenario. The caller frees it. */
SALU_API salu_status salu_session_open(const salu_scenario* scenario, salu_session** session);
/* Frees a session, and ends a call that runs in it. */
SALU_API salu_status salu_session_free(salu_session* session);

/* The reason of a pause. */
enum {
  SALU_PAUSE_START = 0, /* start of the run or of the selected wave: the session cannot go back further */
  SALU_PAUSE_STEP = 1,  /* the move is complete */
  SALU_PAUSE_BREAKPOINT = 2,
  SALU_PAUSE_WATCHPOINT = 3,
  SALU_PAUSE_ENDED = 4, /* the program has ended */
  SALU_PAUSE_LIMIT = 5, /* the step limit of one move */
  SALU_PAUSE_INTERRUPTED = 6,
  SALU_PAUSE_WARNING = 7 /* an instruction with a warning that the session stops at */
};

/* The place and the reason of a pause. */
typedef struct salu_pause {
  size_t struct_size;  /* in: sizeof(salu_pause) */
  uint64_t position;   /* instructions executed before */
  uint64_t pc;         /* of the next instruction, or where the program has ended */
  uint32_t reason;     /* SALU_PAUSE_... */
  uint32_t breakpoint; /* the number of the breakpoint or watchpoint that was hit; 0 if none */
} salu_pause;

/* Moves forwards or backwards by `count` instructions. All moves stop at breakpoints and watchpoints on the way and
   return the new position in `pause`, which may be NULL. An interrupted move returns SALU_OK, with that reason. */
SALU_API salu_status salu_session_step(salu_session* session, uint64_t count, salu_pause* pause);
SALU_API salu_status salu_session_step_back(salu_session* session, uint64_t count, salu_pause* pause);
/* Runs to the next breakpoint or the end, or back to the previous breakpoint or the start. */
SALU_API salu_status salu_session_run(salu_session* session, salu_pause* pause);
SALU_API salu_status salu_session_run_back(salu_session* session, salu_pause* pause);
/* Runs to a place: an address (`0x1010`), a label (`loop+8`), a source line (`gcd.s:12`). */
SALU_API salu_status salu_session_run_to(salu_session* session, const char* place, salu_pause* pause);
SALU_API salu_status salu_session_run_back_to(salu_session* session, const char* place, salu_pause* pause);
/* Moves to a position without stops on the way, or to the end if the run has fewer steps. */
SALU_API salu_status salu_session_go_to(salu_session* session, uint64_t position, salu_pause* pause);
/* Returns the current position without a move. */
SALU_API salu_status salu_session_where(salu_session* session, salu_pause* pause);
/* Makes the current move of a session, or the next one, stop soon. May be called from any thread, but not from a signal
   handler. Does not wait. */
SALU_API salu_status salu_session_interrupt(salu_session* session);

/* The status of a wave. */
enum {
  SALU_WAVE_READY = 0, /* executes instructions when it has its turn */
  SALU_WAVE_WAITS = 1, /* at a barrier */
  SALU_WAVE_ENDED = 2
};

/* A wave of a work-group. */
typedef struct salu_wave {
  size_t struct_size; /* in: sizeof(salu_wave) */
  uint64_t number;    /* in the grid */
  uint64_t pc;        /* of its next instruction, or where it has ended */
  uint32_t status;    /* SALU_WAVE_... */
  uint32_t reserved;  /* 0 */
} salu_wave;

/* Returns the number of the selected wave. Positions count the instructions of all waves. Steps and moves to places are
   those of the selected wave, and registers are its own. A wave that hits a breakpoint or a watchpoint is selected. */
SALU_API salu_status salu_session_wave(salu_session* session, uint64_t* wave);
/* Selects a wave of the work-groups that run here. SALU_NOT_FOUND for another one. */
SALU_API salu_status salu_session_select_wave(salu_session* session, uint64_t wave);
/* Returns a wave of the work-groups that run here, by its index from 0, in the order of the numbers. `*name` becomes
   `wave 1 of work-group [2, 0, 0]`, which the caller frees; it may be NULL. SALU_NOT_FOUND after the last wave. */
SALU_API salu_status salu_session_wave_at(salu_session* session, uint64_t index, salu_wave* wave, salu_text** name);

/* Adds a breakpoint before a place (as above, or before each instruction whose mnemonic matches a pattern such as
   `s_cbranch_*`), or a watchpoint after each instruction that changes an expression (`s4`, `[0x10000]`). `condition`
   may be NULL. `*id` becomes its number. */
SALU_API salu_status salu_session_break(salu_session* session, const char* place, const char* condition, uint32_t* id);
SALU_API salu_status salu_session_watch(salu_session* session, const char* expression, const char* condition,
                                        uint32_t* id);
/* Removes a breakpoint or watchpoint. SALU_NOT_FOUND for an unknown number. */
SALU_API salu_status salu_session_remove(salu_session* session, uint32_t id);

/* The next instruction, with its place and its source line if known: `0x1018 <loop>: s_sub_u32 s0, s0, s1`. The caller
   frees `*text`. */
SALU_API salu_status salu_session_instruction(salu_session* session, salu_text** text);
/* Evaluates an expression (docs/how-to/debugging.md) at the current position: `s0`, `scc && s1 > 5`, `[s[4:5] + 8]`. */
SALU_API salu_status salu_session_get(salu_session* session, const char* expression, uint64_t* value);
/* Sets a register or memory (`[0x10000]`) to an expression, here. Discards the rest of the run after this position. */
SALU_API salu_status salu_session_set(salu_session* session, const char* place, const char* expression);
SALU_API salu_status salu_session_lanes(salu_session* session, uint32_t number, uint32_t* lanes, uint64_t* defined);
SALU_API salu_status salu_session_read(salu_session* session, uint64_t address, void* bytes, size_t size);

/* An instruction that contributed to a value. Valid only during the call. */
typedef struct salu_why_link {
  uint64_t step; /* its number; 0 for a value that was set from outside the program */
  uint64_t pc;
  uint32_t depth;          /* 1: it wrote the place; 2: it wrote an input of such an instruction; ... */
  const char* instruction; /* its text */
} salu_why_link;
/* Called for each instruction. Returns 0 to continue; any other value ends the list. */
typedef int salu_why_callback(void* user, const salu_why_link* link);

/* Finds the instructions that produced the value of a place (`s4`, `exec[7]`, `v3[7]`, `[0x10000]`) at the current
   position or, with `@STEP` appended, after that step. The instructions, latest first and at most `most_links` of them
   (0: 32), are passed to `callback` and formatted as `*text`, which the caller frees. One of `callback` and `text` may
   be NULL. */
SALU_API salu_status salu_session_why(salu_session* session, const char* place, uint64_t most_links,
                                      salu_why_callback* callback, void* user, salu_text** text);
/* Executes a command of `salu debug` and returns its output, which the caller frees. A command that fails gives
   SALU_BAD_USAGE, and the message is its output. */
SALU_API salu_status salu_session_command(salu_session* session, const char* line, salu_text** text);

/* ---- one program from many states ---- */

/* An array in the caller's memory: little-endian numbers, one for each state. */
typedef struct salu_column {
  const char* name;     /* `s0`, `s[2:3]`, `scc`, `v0[3]`, `args.n`, `memory.0x10000:8`; outputs also `steps`, `stop` */
  void* data;           /* the first number; inputs are not written */
  int64_t stride_bytes; /* distance between numbers; 0 for an input: the same number for all states */
  uint32_t size_bytes;  /* size of a number: 1, 2, 4 or 8 */
  int32_t is_signed;    /* not 0: signed numbers in two's complement */
} salu_column;

/* Options for running many states. */
typedef struct salu_sweep_options {
  size_t struct_size;             /* sizeof(salu_sweep_options) */
  uint64_t max_steps;             /* step limit of each run; 0: the scenario's own limit */
  uint32_t threads;               /* including the calling thread; 0: one for each processor */
  int32_t scalar;                 /* not 0: one state after the other, with the same results */
  const volatile int32_t* cancel; /* as in salu_run_options */
} salu_sweep_options;

/* Runs a program from `count` states: state i uses element i of every input and writes element i of every output. A
   number must fit into its register or memory. `stop` is a code: the number of the stop reason
   (docs/reference/stops-and-warnings.md; 0 for end_program), plus 128 for warnings, plus 64 for skipped vector
   instructions. `options` and `states` may be NULL;
   `*states` becomes the number of states that were run from the first on, also with SALU_CANCELLED. Errors:
   SALU_BAD_USAGE for invalid names, for outputs that do not fit and for outputs that overlap another column,
   SALU_BAD_SCENARIO for numbers that do not fit. */
SALU_API salu_status salu_sweep(const salu_scenario* scenario, const salu_column* inputs, size_t input_count,
                                const salu_column* outputs, size_t output_count, uint64_t count,
                                const salu_sweep_options* options, uint64_t* states);

/* Runs a program from all combinations of ranges (`s0=0..255`, `s1=0..100:5`) and summarises the results: one line of
   JSON with minimum, maximum and checksum of each output (docs/how-to/sweep.md). Without outputs, all places that the
   runs write are outputs. The caller frees `*json`. */
SALU_API salu_status salu_sweep_ranges(const salu_scenario* scenario, const char* const* ranges, size_t range_count,
                                       const char* const* outputs, size_t output_count,
                                       const salu_sweep_options* options, salu_text** json);

/* The name of a code of `stop`: `end_program`, `end_program+warned`; NULL for an invalid code. Lives as long as the
   library. */
SALU_API const char* salu_stop_code_name(uint32_t code);

/* ---- two programs ---- */

/* The verdict of a comparison. */
enum {
  SALU_EQUAL = 0,     /* on all inputs tried; with a proof: for all inputs, under its assumptions */
  SALU_DIFFERENT = 1, /* on at least one input on which both were run */
  SALU_UNKNOWN = 2    /* nothing or not everything could be compared, or the proof failed */
};

/* Options of a comparison (docs/how-to/equiv.md, docs/how-to/prove.md). */
typedef struct salu_compare_options {
  size_t struct_size;             /* sizeof(salu_compare_options) */
  const char* const* inputs;      /* `s0`, `s4:8`, `s1=1..31`; NULL: detected automatically */
  size_t input_count;             /* number of inputs */
  const char* const* outputs;     /* `s0`, `scc`, `memory.0x10000:64`; NULL: chosen automatically */
  size_t output_count;            /* number of outputs */
  const char* const* exhaustive;  /* `s0=0..65535`: all values; not with a proof */
  size_t exhaustive_count;        /* number of entries of `exhaustive` */
  uint64_t states;                /* number of inputs to try; 0: 10,000 */
  uint64_t seed;                  /* of the input generator; 0: 1 */
  uint64_t max_steps;             /* step limit of each run; 0: a million */
  double seconds;                 /* time limit; 0: no limit, 60 with a proof */
  uint32_t threads;               /* 0: one for each processor */
  uint32_t rounds;                /* with a proof: unrolling limit of loops; 0: 64 */
  const volatile int32_t* cancel; /* as in salu_run_options; polled between parts of the work */
} salu_compare_options;

/* Runs two programs from the same generated inputs. `*verdict` becomes SALU_EQUAL, SALU_DIFFERENT or SALU_UNKNOWN.
   `*text` becomes the output of `salu equiv`, `*json` the same as one line of JSON; the caller frees both. `text` and
   `json` may be NULL. */
SALU_API salu_status salu_compare(const salu_scenario* a, const salu_scenario* b, const salu_compare_options* options,
                                  int32_t* verdict, salu_text** text, salu_text** json);
/* Compares two programs for all inputs, as `salu prove` does: SALU_EQUAL then means proved. A proof that holds only up
   to `rounds` iterations of a loop gives SALU_UNKNOWN. */
SALU_API salu_status salu_prove(const salu_scenario* a, const salu_scenario* b, const salu_compare_options* options,
                                int32_t* verdict, salu_text** text, salu_text** json);

#ifdef __cplusplus
}
#endif

#endif
