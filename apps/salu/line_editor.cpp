#include "line_editor.hpp"

#include <salu/integer.hpp>

#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <new>
#include <optional>
#include <utility>

#include "line_history.hpp"
#include "output.hpp"
#include "signals.hpp"
#include "terminal_window.hpp"
#include "typed_text.hpp"

namespace salu::app {
namespace {

/// The pending signals of the editor, set by the signal handlers.
constexpr std::array attended_signals = {SIGINT, SIGTSTP, SIGCONT, SIGWINCH};
constexpr std::size_t signal_count = 64;
volatile std::sig_atomic_t noted_signals[signal_count] = {};

void note_signal(int signal) { noted_signals[signal] = 1; }

bool take_signal(int signal) {
  const bool is_noted = noted_signals[signal] != 0;
  noted_signals[signal] = 0;
  return is_noted;
}

std::wstring to_wide(std::string_view ascii) { return {ascii.begin(), ascii.end()}; }

bool is_plain_word(const std::string& word) {
  return std::ranges::all_of(word, [](char each) { return each > ' ' && each <= '~'; });
}

/// The longest common prefix of the words.
std::size_t common_length(const std::vector<std::string>& words) {
  std::size_t length = words.front().size();
  for (const std::string& word : words) {
    const auto [mine, other] = std::ranges::mismatch(words.front(), word);
    length = std::min(length, static_cast<std::size_t>(mine - words.front().begin()));
  }
  return length;
}

constexpr wchar_t control(char letter) { return static_cast<wchar_t>(letter & 0x1f); }
constexpr wchar_t rubout = 0x7f;

}  // namespace

struct LineEditor::Impl {
  explicit Impl(Completion words) : completion(std::move(words)) {
    if (editor == nullptr) return;
    el_wset(editor, EL_CLIENTDATA, this);
    el_wset(editor, EL_SIGNAL, 0);
    el_wset(editor, EL_GETCFN, read_key);
    el_wset(editor, EL_PROMPT, prompt);
    el_wset(editor, EL_EDITOR, L"emacs");
    bind_keys();
  }
  // The editor is not ended: el_end() would discard typed input for the next reader of the terminal. The process is
  // about to end anyway.
  ~Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  EditLine* make_editor() const {
    // Selects the character set of the terminal.
    std::setlocale(LC_CTYPE, "");
    return el_init_fd("salu", stdin, stdout, stderr, library_input.number(), STDOUT_FILENO, STDERR_FILENO);
  }

  // ---- keys ----

  /// Binds a fixed set of keys. Other commands of libedit have bugs: M-x with an open quote crashes, the mark may lie
  /// after the end of a shorter line, the incremental search miscounts, and cursor movement in a line with more rows
  /// than the window makes later input overrun a table.
  void bind_keys() const {
    struct Key {
      const wchar_t* keys;
      const wchar_t* command;
    };
    static constexpr auto keys = std::to_array<Key>({
        {L"^A", L"salu-begin"},
        {L"^B", L"salu-left"},
        {L"^D", L"em-delete-or-list"},
        {L"^E", L"salu-end"},
        {L"^F", L"salu-right"},
        {L"^H", L"em-delete-prev-char"},
        {L"^I", L"salu-complete"},
        {L"^J", L"ed-newline"},
        {L"^K", L"ed-kill-line"},
        {L"^L", L"ed-clear-screen"},
        {L"^M", L"ed-newline"},
        {L"^N", L"salu-next"},
        {L"^P", L"salu-previous"},
        {L"^R", L"salu-search"},
        {L"^T", L"ed-transpose-chars"},
        {L"^U", L"em-kill-line"},
        {L"^W", L"ed-delete-prev-word"},
        {L"^Y", L"em-yank"},
        {L"^?", L"em-delete-prev-char"},
        {L"\\eb", L"salu-word-left"},
        {L"\\ed", L"em-delete-next-word"},
        {L"\\ef", L"salu-word-right"},
        {L"\\e^?", L"ed-delete-prev-word"},
        {L"\\e[A", L"salu-previous"},
        {L"\\e[B", L"salu-next"},
        {L"\\e[C", L"salu-right"},
        {L"\\e[D", L"salu-left"},
        {L"\\e[F", L"salu-end"},
        {L"\\e[H", L"salu-begin"},
        {L"\\eOA", L"salu-previous"},
        {L"\\eOB", L"salu-next"},
        {L"\\eOC", L"salu-right"},
        {L"\\eOD", L"salu-left"},
        {L"\\eOF", L"salu-end"},
        {L"\\eOH", L"salu-begin"},
        {L"\\e[1~", L"salu-begin"},
        {L"\\e[3~", L"ed-delete-next-char"},
        {L"\\e[4~", L"salu-end"},
        {L"\\e[7~", L"salu-begin"},
        {L"\\e[8~", L"salu-end"},
        {L"\\e[1;3C", L"salu-word-right"},
        {L"\\e[1;3D", L"salu-word-left"},
        {L"\\e[1;5C", L"salu-word-right"},
        {L"\\e[1;5D", L"salu-word-left"},
    });
    const auto add = [this](const wchar_t* name, const wchar_t* help, unsigned char (*command)(EditLine*, int)) {
      el_wset(editor, EL_ADDFN, name, help, command);
    };
    add(L"salu-complete", L"completes the word", complete);
    add(L"salu-previous", L"an older line",
        [](EditLine* el, int) { return of(el).show(of(el).history.previous(of(el).text())); });
    add(L"salu-next", L"a newer line",
        [](EditLine* el, int) { return of(el).show(of(el).history.next(of(el).text())); });
    add(L"salu-search", L"an older line that contains the typed text",
        [](EditLine* el, int) { return of(el).show(of(el).history.search(of(el).text())); });
    add(L"salu-begin", L"to the beginning", [](EditLine* el, int) { return of(el).move_to(0); });
    add(L"salu-end", L"to the end", [](EditLine* el, int) { return of(el).move_to(of(el).text().size()); });
    add(L"salu-left", L"a character back", [](EditLine* el, int) { return of(el).move_by(-1); });
    add(L"salu-right", L"a character on", [](EditLine* el, int) { return of(el).move_by(1); });
    add(L"salu-word-left", L"a word back", [](EditLine* el, int) { return of(el).move_to(of(el).word_before()); });
    add(L"salu-word-right", L"a word on", [](EditLine* el, int) { return of(el).move_to(of(el).word_behind()); });
    for (wchar_t letter = L'@'; letter <= L'_'; ++letter) {
      const std::array<wchar_t, 3> key = {L'^', letter, L'\0'};
      el_wset(editor, EL_BIND, L"-r", key.data(), nullptr);
    }
    for (const Key& each : keys) el_wset(editor, EL_BIND, each.keys, each.command, nullptr);
  }

  static Impl& of(EditLine* editor) {
    void* data = nullptr;
    el_wget(editor, EL_CLIENTDATA, &data);
    return *static_cast<Impl*>(data);
  }

  /// libedit calls this when it first shows a line, after it has read the size of the window.
  static wchar_t* prompt(EditLine* editor) {
    of(editor).library_input.show();
    return of(editor).prompt_text.data();
  }

  /// Reads a key for libedit. Returns 1 for a key, 0 at the end of the input, and -1 if the line is abandoned.
  static int read_key(EditLine* editor, wchar_t* key) {
    Impl& impl = of(editor);
    while (true) {
      const int ready = impl.wait();
      if (ready <= 0) return ready;
      char byte = 0;
      // Reads one byte only: input after the last line is for the next program.
      const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (count <= 0) return 0;
      const std::optional<wchar_t> found = impl.characters.take(byte);
      if (!found || !impl.is_wanted(*found)) continue;
      *key = *found;
      return 1;
    }
  }

  /// True if libedit gets the key. Non-ASCII characters without a width and text after the longest line are ignored.
  [[nodiscard]] bool is_wanted(wchar_t key) const {
    constexpr wchar_t first_beyond_ascii = 0x80;
    if (key >= first_beyond_ascii && wcwidth(key) < 1) return false;
    // One more than the longest command, so that a truncated line is not taken for a command.
    constexpr std::ptrdiff_t longest = 65'537;
    const LineInfoW& line = *el_wline(editor);
    if (line.lastchar - line.buffer < longest) return true;
    constexpr std::array kept = {control('A'), control('D'), control('E'), control('H'), control('J'),
                                 control('K'), control('M'), control('U'), control('W'), rubout};
    return std::ranges::find(kept, key) != kept.end();
  }

  /// Waits for input and handles signals. Returns 1 if there is input, 0 at its end, and -1 if the line is abandoned.
  int wait() {
    sigset_t attended;
    sigset_t before;
    sigemptyset(&attended);
    for (const int signal : attended_signals) sigaddset(&attended, signal);
    // ppoll() unblocks the signals only while it waits, so that none is missed before the wait.
    pthread_sigmask(SIG_BLOCK, &attended, &before);
    int result = 0;
    while (true) {
      if (take_signal(SIGTSTP)) suspend(before);
      if (take_signal(SIGCONT)) prepare_again();
      if (take_signal(SIGWINCH)) show_again();
      if (take_signal(SIGINT) || !has_display) {
        is_given_up = true;
        result = -1;
        break;
      }
      pollfd input{STDIN_FILENO, POLLIN, 0};
      const int ready = ppoll(&input, 1, nullptr, &before);
      if (ready < 0 && errno == EINTR) continue;
      result = ready > 0 ? 1 : 0;
      break;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return result;
  }

  /// Ctrl-Z: restores the terminal for the shell and suspends the process.
  void suspend(const sigset_t& mask) const {
    el_wset(editor, EL_PREP_TERM, 0);
    KeptTerminal::restore();
    struct sigaction stop{};
    struct sigaction ours{};
    stop.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &stop, &ours);
    sigset_t blocked;
    raise(SIGTSTP);
    // The process stops here.
    pthread_sigmask(SIG_SETMASK, &mask, &blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
    sigaction(SIGTSTP, &ours, nullptr);
    noted_signals[SIGCONT] = 1;
  }

  /// Prepares the terminal again, which another process may have used.
  void prepare_again() {
    el_wset(editor, EL_PREP_TERM, 0);
    el_wset(editor, EL_PREP_TERM, 1);
    show_again();
  }

  /// Returns why lines cannot be edited in the current window, or "".
  [[nodiscard]] std::string problem() const { return window_problem(window_of_terminal(known_window())); }

  /// Returns the window size that libedit has.
  [[nodiscard]] Window known_window() const {
    int rows = 0;
    int columns = 0;
    el_wget(editor, EL_GETTC, "li", &rows);
    el_wget(editor, EL_GETTC, "co", &columns);
    return {static_cast<u64>(std::max(rows, 0)), static_cast<u64>(std::max(columns, 0))};
  }

  /// Passes the current window size to libedit. Returns false if lines cannot be edited in it.
  bool take_window() {
    const Window window = window_of_terminal(known_window());
    if (!window_problem(window).empty()) return false;
    if (window == known_window()) return true;
    // libedit allocates memory at each step: few columns first, so that no intermediate size is large.
    has_display = set_size(L"co", 2) && set_size(L"li", window.rows) && set_size(L"co", window.columns);
    return has_display;
  }

  [[nodiscard]] bool set_size(const wchar_t* capability, u64 size) const {
    return el_wset(editor, EL_SETTC, capability, std::to_wstring(size).c_str(), nullptr) == 0;
  }

  /// Redraws the line after the window may have changed its size.
  void show_again() {
    take_window();
    if (!has_display) return;
    print("\r");
    // After a change of size, libedit's cursor may be outside the window until this call.
    el_wset(editor, EL_REFRESH);
  }

  // ---- commands of keys ----

  [[nodiscard]] std::wstring text() const {
    const LineInfoW& line = *el_wline(editor);
    return {line.buffer, line.lastchar};
  }

  void replace_text(const std::wstring& text) const {
    const LineInfoW& line = *el_wline(editor);
    const auto length = static_cast<int>(line.lastchar - line.buffer);
    el_cursor(editor, length);
    el_wdeletestr(editor, length);
    el_winsertstr(editor, text.c_str());
  }

  [[nodiscard]] std::size_t cursor() const { return static_cast<std::size_t>(el_cursor(editor, 0)); }

  [[nodiscard]] unsigned char move_by(int places) const {
    el_cursor(editor, places);
    return CC_REFRESH;
  }

  [[nodiscard]] unsigned char move_to(std::size_t place) const {
    return move_by(static_cast<int>(place) - static_cast<int>(cursor()));
  }

  static bool is_in_word(wchar_t each) { return each == L'_' || std::iswalnum(static_cast<wint_t>(each)) != 0; }

  /// The start of the word before the cursor.
  [[nodiscard]] std::size_t word_before() const {
    const std::wstring line = text();
    std::size_t place = cursor();
    while (place > 0 && !is_in_word(line[place - 1])) --place;
    while (place > 0 && is_in_word(line[place - 1])) --place;
    return place;
  }

  /// The end of the word after the cursor.
  [[nodiscard]] std::size_t word_behind() const {
    const std::wstring line = text();
    std::size_t place = cursor();
    while (place < line.size() && !is_in_word(line[place])) ++place;
    while (place < line.size() && is_in_word(line[place])) ++place;
    return place;
  }

  static unsigned char complete(EditLine* editor, int) {
    const Impl& impl = of(editor);
    const LineInfoW& line = *el_wline(editor);
    const std::string before = to_utf8({line.buffer, line.cursor});
    std::vector<std::string> words = impl.completion(before);
    // Names are input from files, and may contain control characters.
    std::erase_if(words, [](const std::string& word) { return !is_plain_word(word); });
    if (words.empty()) return CC_ERROR;
    const std::size_t typed = before.size() - (before.find_last_of(" \t") + 1);
    std::string rest = words.front().substr(0, common_length(words)).substr(typed);
    if (words.size() == 1) rest += ' ';
    if (!rest.empty()) return el_winsertstr(editor, to_wide(rest).c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    show_words(words);
    el_wset(editor, EL_REFRESH);
    return CC_NORM;
  }

  static void show_words(const std::vector<std::string>& words) {
    constexpr std::size_t most = 200;
    std::string text = "\n";
    for (std::size_t i = 0; i < std::min(words.size(), most); ++i) text.append(words[i]).append("  ");
    if (words.size() > most) text += "... " + std::to_string(words.size() - most) + " more";
    print(text + "\n");
  }

  /// Shows another line, if there is one.
  [[nodiscard]] unsigned char show(const std::optional<std::wstring>& line) const {
    if (!line) return CC_ERROR;
    replace_text(*line);
    return CC_REFRESH;
  }

  Completion completion;
  LibraryInput library_input{};
  EditLine* editor = make_editor();
  CharacterReader characters{};
  bool has_display = true;   ///< False if the library had no memory for the last size of the window.
  bool is_given_up = false;  ///< abandoned with Ctrl-C
  LineHistory history{};
  std::wstring prompt_text{};

  /// The typed line, without its line end; nothing if it was abandoned, or at the end of the input.
  std::optional<std::wstring> read_line(std::string_view prompt) {
    prompt_text = to_wide(prompt);
    history.begin();
    is_given_up = false;
    if (!take_window()) {
      if (!has_display) throw std::bad_alloc();
      return std::nullopt;
    }
    int count = 0;
    // libedit would set raw mode while the terminal is hidden.
    el_wset(editor, EL_PREP_TERM, 1);
    library_input.hide();
    const wchar_t* const typed = el_wgets(editor, &count);
    library_input.show();
    if (typed == nullptr || count <= 0) {
      print("\n");
      send_output();
      return std::nullopt;
    }
    std::wstring line(typed, static_cast<std::size_t>(count));
    while (line.ends_with(L'\n') || line.ends_with(L'\r')) line.pop_back();
    return line;
  }
};

LineEditor::LineEditor(Completion completion, const std::vector<std::string>& history)
    : impl_(std::make_unique<Impl>(std::move(completion))) {
  for (const std::string& line : history) {
    CharacterReader characters;
    std::wstring wide;
    for (const char byte : line) {
      // Characters without a width cannot be typed.
      const std::optional<wchar_t> character = characters.take(byte);
      if (character && wcwidth(*character) > 0) wide += *character;
    }
    impl_->history.remember(wide);
  }
}

LineEditor::~LineEditor() = default;

namespace {

/// Handlers for the signals that the editor handles while a line is typed.
class AttendedSignals {
 public:
  AttendedSignals() {
    for (const int signal : attended_signals) take_signal(signal);
  }

 private:
  SignalHandler on_interrupt_{SIGINT, note_signal};
  SignalHandler on_stop_{SIGTSTP, note_signal};
  SignalHandler on_continue_{SIGCONT, note_signal};
  SignalHandler on_resize_{SIGWINCH, note_signal};
};

}  // namespace

std::string LineEditor::terminal_problem() { return window_problem(window_of_terminal(window_in_environment())); }

std::string LineEditor::problem() const { return impl_->editor == nullptr ? std::string() : impl_->problem(); }

LineEditor::Typed LineEditor::read(std::string_view prompt) {
  Impl& impl = *impl_;
  if (impl.editor == nullptr) return {};
  const AttendedSignals signals;
  while (true) {
    if (const std::optional<std::wstring> line = impl.read_line(prompt)) {
      impl.history.remember(*line);
      return {Typed::Kind::line, to_utf8(*line)};
    }
    // Ctrl-C abandons the line; only the end of the input ends the loop.
    if (!impl.is_given_up) return {};
  }
}

bool LineEditor::ask(std::string_view question) {
  if (impl_->editor == nullptr) return false;
  const AttendedSignals signals;
  send_output();
  while (true) {
    const std::optional<std::wstring> line = impl_->read_line(std::string(question) + " (y or n) ");
    if (!line) return false;
    const std::size_t first = line->find_first_not_of(L" \t");
    const wchar_t letter = first == std::wstring::npos ? L' ' : (*line)[first];
    if (letter == L'y' || letter == L'Y') return true;
    if (letter == L'n' || letter == L'N') return false;
    print("Please answer y or n.\n");
    send_output();
  }
}

}  // namespace salu::app
