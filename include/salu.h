/* salu from C: load programs and scenarios, run them, step through them both ways, run one from many states, compare
   two and prove them equal (docs/reference/c-api.md).

   Handles. What a function makes is a handle: a pointer that names an object and is never looked through, so that a
   NULL, a handle that was freed, one of another kind and garbage are told apart from a live one and refused with
   SALU_INVALID_HANDLE. Each kind has a function that frees it; NULL is freed without effect.

   Errors. Functions return SALU_OK or what went wrong, and write their results only in the first case. The last failure
   of the calling thread is described by salu_error_message() and its like until the next call that fails there. A
   pointer that a function needs and that is NULL is SALU_INVALID_ARGUMENT. Nothing is printed, and no exception comes
   out. Where there is no memory the answer is SALU_NO_MEMORY; of a session it is so for all that comes after, as nobody
   knows where its run stands then.

   Strings that come in end with a zero byte, in UTF-8, and are copied where they are needed longer than the call.
   Strings that come out belong to the object they come from, and live as long as it does, unless it is said otherwise.

   Threads. Any function may be called from any thread, with handles that others use as well. A scenario may be changed
   while it runs elsewhere: runs that have begun do not see it. Calls on one session wait for each other, but for
   salu_session_interrupt(). Outcomes and texts do not change. An object that is freed while a call uses it goes when
   that call is over; strings that it has returned go with it.

   Structures that come in begin with their size, as in `salu_run_options options = {.struct_size = sizeof options};`:
   all other fields are then 0, which asks for what is usual. Later versions may add fields at the end. */
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

/* What to run: code, the state and the memory that it starts from, limits, and what is expected. */
typedef struct salu_scenario salu_scenario;
/* How a run ended, and the state and the memory that it left. */
typedef struct salu_outcome salu_outcome;
/* A run that can be walked forwards and backwards. */
typedef struct salu_session salu_session;
/* A text that was made for the caller. */
typedef struct salu_text salu_text;

/* What became of a call. The numbers do not change. */
typedef enum salu_status {
  SALU_OK = 0,
  SALU_INVALID_HANDLE = 1,   /* not a live handle of the kind that is asked for */
  SALU_INVALID_ARGUMENT = 2, /* NULL where something has to be, a number out of range, a structure of a wrong size */
  SALU_NOT_FOUND = 3,        /* no such register, memory, label, document, row, breakpoint, warning */
  SALU_CANCELLED = 4,        /* the caller wanted it to end: a `cancel` flag, a callback, salu_session_interrupt() */
  SALU_NO_MEMORY = 5,
  SALU_INTERNAL = 6, /* a fault of salu's own */
  /* What comes from outside and is wrong; salu_error_file(), salu_error_line() and salu_error_column() say where. */
  SALU_BAD_USAGE = 16,     /* options that make no sense, or not together */
  SALU_BAD_FILE = 17,      /* cannot be read */
  SALU_BAD_YAML = 18,      /* no well-formed YAML */
  SALU_BAD_SCENARIO = 19,  /* well-formed YAML, and no valid scenario */
  SALU_BAD_ASSEMBLY = 20,  /* assembly text */
  SALU_BAD_WORDS = 21,     /* hexadecimal words, or binary code */
  SALU_BAD_ELF = 22,       /* an ELF object */
  SALU_BAD_TARGET = 23,    /* an unknown target, or one that contradicts the code */
  SALU_BAD_OVERWRITE = 24, /* a file that would be written and read */
  /* Nobody takes this for a list that is complete: a switch over it needs a default. */
  SALU_STATUS_LARGEST = 0x7fffffff
} salu_status;

/* ---- the library and its errors ---- */

/* `0.2.0`. Never NULL; lives as long as the library. */
SALU_API const char* salu_version(void);
/* `ok`, `invalid_handle`, `bad_assembly`, ...; `unknown` for another number. Never NULL; lives as long as the library.
 */
SALU_API const char* salu_status_name(salu_status status);
/* The last failure of the calling thread as text: `file:line:column: error: message`, further lines perhaps. Empty
   before the first failure. Never NULL; valid until the next failure in this thread. */
SALU_API const char* salu_error_message(void);
/* What was wrong, without the place. The same lifetime. */
SALU_API const char* salu_error_reason(void);
/* The file that it is about, as it was named; empty where it is about none. The same lifetime. */
SALU_API const char* salu_error_file(void);
/* The line and the column there, from 1; 0 where they are not known. */
SALU_API uint32_t salu_error_line(void);
SALU_API uint32_t salu_error_column(void);

/* How many handles of all kinds are live: for tests of whoever has to free them. */
SALU_API size_t salu_live_handles(void);

/* ---- texts ---- */

/* The text, which ends with a zero byte; NULL for what is no text. Lives as long as the text. */
SALU_API const char* salu_text_data(const salu_text* text);
/* Bytes of it, without the zero; 0 for what is no text. */
SALU_API size_t salu_text_size(const salu_text* text);
SALU_API salu_status salu_text_free(salu_text* text);

/* ---- loading ---- */

/* How to load. Any string may be NULL. */
typedef struct salu_load_options {
  size_t struct_size;        /* sizeof(salu_load_options) */
  const char* target;        /* `gfx900`; NULL: what the file itself says */
  const char* symbol;        /* where an object begins; NULL: its first function, or what the scenario says */
  const char* document;      /* which scenario of several, by number from 1 or by name; NULL: there is one only */
  const char* row;           /* which row of a table of cases, by number from 1 or by name; NULL: the table */
  const char* const* set;    /* `s0=7`, ...: registers, set last */
  size_t set_count;          /* of them */
  const char* root;          /* the folder that files have to lie in which a scenario names; NULL: any */
  uint64_t max_steps;        /* of each run; 0: the scenario's own limit, 10 million without one */
  uint64_t max_memory_bytes; /* likewise; 0: the scenario's own limit, 512 MiB without one */
} salu_load_options;

/* Loads a file: a scenario in YAML, assembly (.s), hexadecimal words (.hex), binary code (.bin), an ELF object.
   `options` may be NULL. The caller frees `*scenario`. Errors: all SALU_BAD_*; a document or a row that is not there is
   SALU_BAD_USAGE. */
SALU_API salu_status salu_load_file(const char* path, const salu_load_options* options, salu_scenario** scenario);

/* The same of the bytes of such a file. `name` says of which kind they are by its ending, is what messages call them,
   and its folder is where files are looked for that they name. */
SALU_API salu_status salu_load_bytes(const void* bytes, size_t size, const char* name, const salu_load_options* options,
                                     salu_scenario** scenario);

/* Assembles a text for a target (`gfx900`, `gcn1.2`); the same as salu_load_bytes() with the name `<text>.s`. */
SALU_API salu_status salu_assemble(const char* text, const char* target, salu_scenario** scenario);

/* Code that is instruction words already. */
SALU_API salu_status salu_load_words(const uint32_t* words, size_t count, const char* target, salu_scenario** scenario);

/* Gets a document of a file. `scenario` is NULL where it could not be loaded: `status`, and what describes an error,
   say why. Whoever gets a scenario frees it. Returns 0 to go on; anything else ends the loading. */
typedef int salu_load_callback(void* user, salu_status status, salu_scenario* scenario);

/* Loads all documents of a file, one after the other. `options->document` has to be NULL. SALU_OK where every document
   was handed over, whether it could be loaded or not; SALU_CANCELLED where the callback ended it. */
SALU_API salu_status salu_load_each(const char* path, const salu_load_options* options, salu_load_callback* callback,
                                    void* user);

/* Outcomes and sessions of it stay. */
SALU_API salu_status salu_scenario_free(salu_scenario* scenario);
/* A copy, which costs little: what is large is shared until it is written. The caller frees `*copy`. */
SALU_API salu_status salu_scenario_copy(const salu_scenario* scenario, salu_scenario** copy);

/* What is known of a scenario. Strings live as long as the scenario. */
typedef struct salu_scenario_info {
  size_t struct_size;     /* in: sizeof(salu_scenario_info) */
  const char* name;       /* `name:` of the scenario, or the file's */
  const char* file;       /* as it was named */
  const char* target;     /* `gfx900` */
  const char* generation; /* `gcn1.4` */
  uint64_t entry;         /* where it starts: a byte address */
  uint64_t rows;          /* of its table of cases; 0 where it has none */
  int32_t has_expectation;
  int32_t all_waves; /* all waves of a grid run, one after the other */
} salu_scenario_info;
SALU_API salu_status salu_scenario_info_of(const salu_scenario* scenario, salu_scenario_info* info);

/* The scenario that a row of the table of cases stands for; rows count from 0. What `set` of the load options gave a
 * value keeps it. The caller frees `*of_row`. */
SALU_API salu_status salu_scenario_row(const salu_scenario* scenario, uint64_t row, salu_scenario** of_row);
/* What the loader noticed (warnings of the assembler, ...) as lines of text; empty where it noticed nothing. */
SALU_API salu_status salu_scenario_remarks(const salu_scenario* scenario, salu_text** text);

/* The address of a label or of an ELF symbol. SALU_NOT_FOUND where there is none of that name. */
SALU_API salu_status salu_scenario_symbol(const salu_scenario* scenario, const char* name, uint64_t* address);
/* Where an argument of a kernel lies in memory, and how many bytes it has. For a pointer these hold the buffer's
   address. */
SALU_API salu_status salu_scenario_argument(const salu_scenario* scenario, const char* name, uint64_t* address,
                                            uint64_t* size_bytes);

/* Sets a register, 64 bits wide at most, in the state that runs start from. SALU_INVALID_ARGUMENT for a value that does
   not fit into it. */
SALU_API salu_status salu_scenario_set(salu_scenario* scenario, const char* name, uint64_t value);
/* What such a register holds there. */
SALU_API salu_status salu_scenario_get(const salu_scenario* scenario, const char* name, uint64_t* value);
/* Makes memory of zeros that programs may read, and write where `writable` is not 0. SALU_INVALID_ARGUMENT where some
   of it exists already, for a size of 0, and beyond 2^48. */
SALU_API salu_status salu_scenario_add_memory(salu_scenario* scenario, uint64_t address, uint64_t size_bytes,
                                              int writable);
/* Copies bytes into the memory that runs start from, or out of it. SALU_NOT_FOUND where some of it does not exist. */
SALU_API salu_status salu_scenario_write(salu_scenario* scenario, uint64_t address, const void* bytes, size_t size);
SALU_API salu_status salu_scenario_read(const salu_scenario* scenario, uint64_t address, void* bytes, size_t size);

/* ---- registers ---- */

/* A register, a part of one, or a lane of a vector register of one generation, as a number: what salu_register_find()
   makes of a name, to be used again and again. 0 is none. */
typedef uint64_t salu_register;

/* `s3`, `s[2:3]`, `vcc`, `scc`, `pc`, `mode`, `csp`, `v3[7]`, ...: a name of at most 64 bits. SALU_NOT_FOUND where the
   scenario's target has no such register; the message names those that are near. A vector register without a lane is
   SALU_INVALID_ARGUMENT: salu_outcome_lanes() reads these. */
SALU_API salu_status salu_register_find(const salu_scenario* scenario, const char* name, salu_register* found);
/* Its width in bits, 1 to 64; 0 for what is no register. */
SALU_API uint32_t salu_register_bits(salu_register name);

/* ---- running ---- */

/* An executed instruction. All of it is valid during the call only. */
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
  const char* note;        /* what happened to the control stack, warnings; may be empty */
} salu_trace_event;

/* Is told of every instruction, in the thread that runs. Returns 0 to go on; anything else ends the run, which is then
   SALU_CANCELLED, within some thousand instructions, of which it is not told. It may call any function of the
   library, also one that calls it again: 16 callbacks may be within each other. */
typedef int salu_trace_callback(void* user, const salu_trace_event* event);

/* What is said of values that nothing has defined. */
enum { SALU_UNDEFINED_AS_SCENARIO = 0, SALU_UNDEFINED_READS = 1, SALU_UNDEFINED_BITS = 2 };
/* What a vector instruction does. */
enum { SALU_VECTOR_AS_SCENARIO = 0, SALU_VECTOR_RUN = 1, SALU_VECTOR_STOP = 2, SALU_VECTOR_SKIP = 3 };

/* How to run. */
typedef struct salu_run_options {
  size_t struct_size;             /* sizeof(salu_run_options) */
  uint64_t max_steps;             /* 0: the scenario's own limit */
  double max_seconds;             /* on a clock on the wall; 0: no limit */
  const salu_register* registers; /* set before the run, in this order; the scenario stays as it is */
  const uint64_t* values;         /* of them */
  size_t register_count;          /* of them; 0: none */
  salu_trace_callback* trace;     /* NULL: nobody is told */
  void* user;                     /* what `trace` gets */
  /* Looked at some hundred times a second: what is not 0 ends the call with SALU_CANCELLED. The caller may set it from
     any thread or signal handler. NULL: nobody does. */
  const volatile int32_t* cancel;
  int32_t check_undefined; /* SALU_UNDEFINED_... */
  int32_t check_hazards;   /* not 0: warn of results that are used before hardware has them */
  int32_t on_vector;       /* SALU_VECTOR_... */
  int32_t strict;          /* not 0: the first warning ends the run */
} salu_run_options;

/* Runs a scenario, which stays as it is. `options` may be NULL. What the program does wrong is no error here: the
   outcome says how it ended. The caller frees `*outcome`, which may outlive the scenario. A run that is SALU_CANCELLED
   has an outcome, too, which the caller frees: what it left so far; where it came to no end of its own, the reason is
   `time_limit`, and the detail says that the caller ended it. Every other error leaves `*outcome` as it is. */
SALU_API salu_status salu_run(const salu_scenario* scenario, const salu_run_options* options, salu_outcome** outcome);
SALU_API salu_status salu_outcome_free(salu_outcome* outcome);

/* How a run ended. Strings live as long as the outcome. */
typedef struct salu_stop {
  size_t struct_size;      /* in: sizeof(salu_stop) */
  const char* reason;      /* `end_program`, `unmapped_memory`, ... (docs/reference/stops-and-warnings.md) */
  const char* instruction; /* the text of the instruction at `pc`; may be empty */
  const char* detail;      /* a sentence: what was wrong with which operand; may be empty */
  const char* place;       /* `0x1008 (loop+0x8, gcd.yaml:12)` */
  uint64_t pc;
  uint64_t steps;     /* instructions that were executed */
  uint64_t warnings;  /* how many there are: salu_outcome_warning() */
  int32_t is_regular; /* it came to its end: end_program, returned, killed */
  int32_t is_fault;   /* the program did something wrong */
} salu_stop;
SALU_API salu_status salu_outcome_stop(const salu_outcome* outcome, salu_stop* stop);

/* A warning: what hardware does quietly. Strings live as long as the outcome. */
typedef struct salu_warning {
  size_t struct_size;      /* in: sizeof(salu_warning) */
  const char* kind;        /* `dropped_write`, `hazard`, ... */
  const char* instruction; /* its text */
  const char* detail;      /* a sentence */
  uint64_t pc;
} salu_warning;
/* Number `index`, from 0. SALU_NOT_FOUND behind the last one. */
SALU_API salu_status salu_outcome_warning(const salu_outcome* outcome, uint64_t index, salu_warning* warning);

/* What a register holds, by its name or by what salu_register_find() made of it. */
SALU_API salu_status salu_outcome_get(const salu_outcome* outcome, const char* name, uint64_t* value);
SALU_API salu_status salu_outcome_read_register(const salu_outcome* outcome, salu_register name, uint64_t* value);
/* Whether something has written it: `*defined` becomes 1 or 0. */
SALU_API salu_status salu_outcome_is_defined(const salu_outcome* outcome, const char* name, int32_t* defined);
/* The 64 lanes of a vector register (v0 is 0, a0 is 256), and which of them have been written, a bit each. `lanes` has
   room for 64 dwords; `defined` may be NULL. */
SALU_API salu_status salu_outcome_lanes(const salu_outcome* outcome, uint32_t number, uint32_t* lanes,
                                        uint64_t* defined);
/* Copies memory out. SALU_NOT_FOUND where some of it does not exist. */
SALU_API salu_status salu_outcome_read(const salu_outcome* outcome, uint64_t address, void* bytes, size_t size);

/* The final state as `text` for people, `yaml` that loads back, or one line of `json`, with the expectations that
   failed (docs/reference/output-formats.md). The caller frees `*text`. */
SALU_API salu_status salu_outcome_report(const salu_outcome* outcome, const char* format, salu_text** text);
/* How many expectations of the scenario do not hold, and, unless `text` is NULL, a line for each of them: `place: what:
   expected ..., got ...`. 0 and no lines where nothing is expected. The caller frees `*text`. */
SALU_API salu_status salu_outcome_check(const salu_outcome* outcome, uint64_t* mismatches, salu_text** text);

/* ---- sessions: positions 0 to N lie between instructions, step n is the n-th instruction, counted from 1 ---- */

/* Opens a session at position 0, with a copy of the scenario. The caller frees it. SALU_BAD_USAGE for a scenario of all
   waves of a grid. */
SALU_API salu_status salu_session_open(const salu_scenario* scenario, salu_session** session);
/* Ends what runs in it, too. */
SALU_API salu_status salu_session_free(salu_session* session);

/* Why a session stands still. */
enum {
  SALU_PAUSE_START = 0, /* of the run: there is nothing to go back to */
  SALU_PAUSE_STEP = 1,  /* what was asked for is done */
  SALU_PAUSE_BREAKPOINT = 2,
  SALU_PAUSE_WATCHPOINT = 3,
  SALU_PAUSE_ENDED = 4, /* the program has ended */
  SALU_PAUSE_LIMIT = 5, /* the limit of steps in one go */
  SALU_PAUSE_INTERRUPTED = 6,
  SALU_PAUSE_WARNING = 7 /* an instruction with a warning that the session stops at */
};

/* Where and why a session stands still. */
typedef struct salu_pause {
  size_t struct_size;  /* in: sizeof(salu_pause) */
  uint64_t position;   /* instructions executed before */
  uint64_t pc;         /* of the next instruction, or where the program has ended */
  uint32_t reason;     /* SALU_PAUSE_... */
  uint32_t breakpoint; /* the number of what was hit; 0 where nothing was */
} salu_pause;

/* Moves; each stops at breakpoints and watchpoints on the way, backwards too, and tells where it stands. `pause` may be
   NULL. A move that was interrupted is SALU_OK, with that reason. */
SALU_API salu_status salu_session_step(salu_session* session, uint64_t count, salu_pause* pause);
SALU_API salu_status salu_session_step_back(salu_session* session, uint64_t count, salu_pause* pause);
/* To the next breakpoint, or the end; to the last one before, or the start. */
SALU_API salu_status salu_session_run(salu_session* session, salu_pause* pause);
SALU_API salu_status salu_session_run_back(salu_session* session, salu_pause* pause);
/* To a place: an address (`0x1010`), a label (`loop+8`), a source line (`gcd.s:12`). */
SALU_API salu_status salu_session_run_to(salu_session* session, const char* place, salu_pause* pause);
SALU_API salu_status salu_session_run_back_to(salu_session* session, const char* place, salu_pause* pause);
/* To a position, whatever lies between; to the end where the run has fewer steps. */
SALU_API salu_status salu_session_go_to(salu_session* session, uint64_t position, salu_pause* pause);
/* Where it stands, without a move. */
SALU_API salu_status salu_session_where(salu_session* session, salu_pause* pause);
/* Makes what runs in a session, or runs next, stop soon; from any thread, not from a signal handler. Does not wait. */
SALU_API salu_status salu_session_interrupt(salu_session* session);

/* Breaks in front of a place (as above, or of each instruction whose mnemonic is like `s_cbranch_*`), or behind an
   instruction that changes an expression (`s4`, `[0x10000]`). `condition` may be NULL. `*id` is the number. */
SALU_API salu_status salu_session_break(salu_session* session, const char* place, const char* condition, uint32_t* id);
SALU_API salu_status salu_session_watch(salu_session* session, const char* expression, const char* condition,
                                        uint32_t* id);
/* Takes one of either kind away. SALU_NOT_FOUND where there is none of that number. */
SALU_API salu_status salu_session_remove(salu_session* session, uint32_t id);

/* The instruction that comes next, with its place and, where it is known, its source line: `0x1018 <loop>: s_sub_u32
   s0, s0, s1`. The caller frees `*text`. */
SALU_API salu_status salu_session_instruction(salu_session* session, salu_text** text);
/* An expression (docs/how-to/debugging.md) in the state here: `s0`, `scc && s1 > 5`, `[s[4:5] + 8]`. */
SALU_API salu_status salu_session_get(salu_session* session, const char* expression, uint64_t* value);
/* Sets a register or memory (`[0x10000]`) to an expression, here. What came behind this position is forgotten. */
SALU_API salu_status salu_session_set(salu_session* session, const char* place, const char* expression);
SALU_API salu_status salu_session_lanes(salu_session* session, uint32_t number, uint32_t* lanes, uint64_t* defined);
SALU_API salu_status salu_session_read(salu_session* session, uint64_t address, void* bytes, size_t size);

/* An instruction that made a value what it is. Valid during the call only. */
typedef struct salu_why_link {
  uint64_t step; /* its number; 0 for what was set from outside the program */
  uint64_t pc;
  uint32_t depth;          /* 1: it wrote what was asked about; 2: what that one read; ... */
  const char* instruction; /* its text */
} salu_why_link;
/* Returns 0 to go on; anything else ends the list. */
typedef int salu_why_callback(void* user, const salu_why_link* link);

/* Why a place (`s4`, `exec[7]`, `v3[7]`, `[0x10000]`) is what it is, here or, with `@STEP` behind it, behind that step:
   the instructions that made it, the last first, `most_links` of them at most (0: 32), up to `callback`, and as `*text`
   for people, which the caller frees. One of the two may be NULL. */
SALU_API salu_status salu_session_why(salu_session* session, const char* place, uint64_t most_links,
                                      salu_why_callback* callback, void* user, salu_text** text);
/* A line of `salu debug`, and what it prints. A command that fails is SALU_BAD_USAGE, and the message is what it
   printed. The caller frees `*text`. */
SALU_API salu_status salu_session_command(salu_session* session, const char* line, salu_text** text);

/* ---- one program from many states ---- */

/* Numbers of one kind in the caller's memory, little-endian, a state each. */
typedef struct salu_column {
  const char* name; /* `s0`, `s[2:3]`, `scc`, `v0[3]`, `args.n`, `memory.0x10000:8`; an output also `steps`, `stop` */
  void* data;       /* the first number; of inputs nothing is written */
  int64_t stride_bytes; /* from a number to the next: 0 says the same number for all states, of an input */
  uint32_t size_bytes;  /* of a number: 1, 2, 4 or 8 */
  int32_t is_signed;    /* not 0: negative numbers, in two's complement */
} salu_column;

/* How to run many states. */
typedef struct salu_sweep_options {
  size_t struct_size;             /* sizeof(salu_sweep_options) */
  uint64_t max_steps;             /* of each run; 0: the scenario's own limit */
  uint32_t threads;               /* the calling one included; 0: one for each processor */
  int32_t scalar;                 /* not 0: one state after the other; what comes out is the same */
  const volatile int32_t* cancel; /* as of salu_run_options */
} salu_sweep_options;

/* Runs a program from `count` states: number i sets every input to its number i and leaves every output's number i. A
   number has to fit into its place. `stop` is a code: of how the run ended (the number of the reason in
   docs/reference/stops-and-warnings.md, 0 for end_program), plus 128 for warnings, plus 64 for vector instructions passed
   over. `options` and `states` may be NULL; `*states` becomes the number of states that were run from the first on, also
   with SALU_CANCELLED. Errors: SALU_BAD_USAGE for names, for outputs that do not fit and for those whose numbers lie in
   another column, SALU_BAD_SCENARIO for numbers that do not fit. */
SALU_API salu_status salu_sweep(const salu_scenario* scenario, const salu_column* inputs, size_t input_count,
                                const salu_column* outputs, size_t output_count, uint64_t count,
                                const salu_sweep_options* options, uint64_t* states);

/* Runs a program from all combinations of ranges (`s0=0..255`, `s1=0..100:5`) and sums up what comes out: one line of
   JSON with least and greatest value and checksum of each output (docs/how-to/sweep.md). Without outputs: those that
   some of the runs write. The caller frees `*json`. */
SALU_API salu_status salu_sweep_ranges(const salu_scenario* scenario, const char* const* ranges, size_t range_count,
                                       const char* const* outputs, size_t output_count,
                                       const salu_sweep_options* options, salu_text** json);

/* The name of a code of `stop`: `end_program`, `end_program+warned`; NULL for a number that is none. Lives as long as
   the library. */
SALU_API const char* salu_stop_code_name(uint32_t code);

/* ---- two programs ---- */

/* What came of a comparison. */
enum {
  SALU_EQUAL = 0,     /* on all that was tried; of a proof: for all inputs, under its assumptions */
  SALU_DIFFERENT = 1, /* on at least one input, on which both were run */
  SALU_UNKNOWN = 2    /* nothing could be compared, not everything was, or it is not known */
};

/* What to compare (docs/how-to/equiv.md, docs/how-to/prove.md). */
typedef struct salu_compare_options {
  size_t struct_size;             /* sizeof(salu_compare_options) */
  const char* const* inputs;      /* `s0`, `s4:8`, `s1=1..31`; NULL: found */
  size_t input_count;             /* of them */
  const char* const* outputs;     /* `s0`, `scc`, `memory.0x10000:64`; NULL: chosen */
  size_t output_count;            /* of them */
  const char* const* exhaustive;  /* `s0=0..65535`: all values; not of a proof */
  size_t exhaustive_count;        /* of them */
  uint64_t states;                /* how many inputs to try; 0: 10,000 */
  uint64_t seed;                  /* 0: 1 */
  uint64_t max_steps;             /* of one run; 0: a million */
  double seconds;                 /* 0: no limit; of a proof 60 */
  uint32_t threads;               /* 0: one for each processor */
  uint32_t rounds;                /* of a proof: that a loop is followed; 0: 64 */
  const volatile int32_t* cancel; /* as of salu_run_options; looked at between parts of the work */
} salu_compare_options;

/* Runs two programs from the same generated inputs. `*verdict` is SALU_EQUAL, ...; `text` and `json` may be NULL, and
   else become what `salu equiv` prints and the same as one line of JSON, which the caller frees. */
SALU_API salu_status salu_compare(const salu_scenario* a, const salu_scenario* b, const salu_compare_options* options,
                                  int32_t* verdict, salu_text** text, salu_text** json);
/* The same for all inputs, as `salu prove`: SALU_EQUAL is a proof then. One that holds only for as many rounds of a
   loop as `rounds` says is SALU_UNKNOWN. */
SALU_API salu_status salu_prove(const salu_scenario* a, const salu_scenario* b, const salu_compare_options* options,
                                int32_t* verdict, salu_text** text, salu_text** json);

#ifdef __cplusplus
}
#endif

#endif
