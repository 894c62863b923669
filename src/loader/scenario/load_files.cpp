#include <salu/scenario.hpp>

#include <fmt/core.h>

#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "loader/program/code_files.hpp"
#include "loader/rejection.hpp"
#include "loader/scenario/document_stream.hpp"
#include "loader/scenario/scenario.hpp"
#include "loader/text_file.hpp"

namespace salu {
namespace loader {
namespace {

/// Runs a loader and converts exceptions to errors.
template <class Load>
Result<Scenario> guarded(const std::string& file, Load load) {
  try {
    return load();
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::memory, {file}, "out of memory", {}};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::scenario, {file}, std::string("cannot be loaded: ") + exception.what(), {}};
  }
}

/// Adds to the error of a file that may not be a scenario why it is read as one.
void add_kinds(const Document* document, Result<Scenario>& scenario) {
  if (scenario) return;
  if (document != nullptr && document->root->is_map()) {
    const std::vector<const Node*>& pairs = document->root->children;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      if (pairs[i]->text == "code") return;
    }
  }
  Error error = std::move(scenario).error();
  error.message += " (files other than .s, .hex, .bin and ELF are read as scenarios)";
  scenario = std::move(error);
}

using ScenarioHandler = std::function<void(Result<Scenario>)>;

/// Loads all documents. `is_guess`: the file is read as a scenario only because its kind is unknown. Documents after
/// the first `most` give a single error.
void load_documents(DocumentStream& documents, const std::string& path, const LoadOptions& options, bool is_guess,
                    std::size_t most, const ScenarioHandler& handle) {
  const std::string file = display_name(path);
  const auto hand_over = [&](Result<Scenario> scenario, const Document* document) {
    if (is_guess) add_kinds(document, scenario);
    handle(std::move(scenario));
  };
  bool is_broken = false;
  const auto next = [&]() -> std::optional<Result<std::shared_ptr<const Document>>> {
    if (is_broken) return std::nullopt;
    try {
      return documents.next();
    } catch (Rejection& rejection) {
      is_broken = true;
      return std::move(rejection).take();
    } catch (const std::bad_alloc&) {
      is_broken = true;
      return Error{ErrorCode::memory, {file}, "out of memory", {}};
    }
  };
  auto document = next();
  if (!document) hand_over(Error{ErrorCode::scenario, {file}, "the file contains no scenario", {}}, nullptr);
  for (std::size_t number = 1; document; ++number) {
    if (number > most) {
      handle(Error{ErrorCode::yaml, {file}, fmt::format("more than {} documents in a file", most), {}});
      return;
    }
    // A single document gets the name of the file, which requires looking ahead. For standard input this is avoided:
    // the writer may wait for the result before it writes the next document.
    const bool looks_on = number == 1 && !(path == "-" && documents.goes_on());
    auto following = looks_on ? next() : std::nullopt;
    const std::string name = looks_on && !following ? file : fmt::format("{}#{}", file, number);
    if (*document) {
      const std::shared_ptr<const Document> good = std::move(**document);
      hand_over(guarded(file, [&] { return load_document(*good, name, options); }), good.get());
    } else {
      hand_over(std::move(*document).error(), nullptr);
    }
    document = looks_on ? std::move(following) : next();
  }
}

void load_source(std::string text, const std::string& path, const LoadOptions& options, bool is_guess,
                 const ScenarioHandler& handle) {
  constexpr std::size_t most_documents = 65'536;
  DocumentStream documents(std::move(text), {}, path);
  load_documents(documents, path, options, is_guess, most_documents, handle);
}

ScenarioHandler collect(std::vector<Result<Scenario>>& scenarios) {
  return [&scenarios](Result<Scenario> scenario) { scenarios.push_back(std::move(scenario)); };
}

bool is_guessed(const std::string& file) { return file != "-" && !has_yaml_extension(file); }

}  // namespace
}  // namespace loader

std::vector<Result<Scenario>> load_yaml(std::string_view text, const std::string& file, const LoadOptions& options) {
  std::vector<Result<Scenario>> scenarios;
  loader::load_source(std::string(text), file, options, false, loader::collect(scenarios));
  return scenarios;
}

void load_each(std::string bytes, const std::string& file, const LoadOptions& options,
               const std::function<void(Result<Scenario>)>& handle) {
  using namespace loader;
  const auto kind = code_file_kind(bytes, file);
  if (!kind) return load_source(std::move(bytes), file, options, is_guessed(file), handle);
  handle(
      guarded(display_name(file), [&] { return load_code(make_code_input(std::move(bytes), file, *kind), options); }));
}

std::vector<Result<Scenario>> load_bytes(std::string bytes, const std::string& file, const LoadOptions& options) {
  std::vector<Result<Scenario>> scenarios;
  load_each(std::move(bytes), file, options, loader::collect(scenarios));
  return scenarios;
}

std::vector<Result<Scenario>> load_file(const std::string& path, const LoadOptions& options) {
  using namespace loader;
  std::string bytes;
  const auto read = guarded(display_name(path), [&]() -> Result<Scenario> {
    bytes = read_file(path, file_limit_bytes, "a scenario or a file of code", options.files);
    return Scenario{};
  });
  if (!read) return {read};
  return load_bytes(std::move(bytes), path, options);
}

void load_each(const std::string& path, const LoadOptions& options,
               const std::function<void(Result<Scenario>)>& handle) {
  using namespace loader;
  constexpr std::size_t begin_bytes = 1 << 12;
  std::optional<FileStream> file;
  std::string begin(begin_bytes, '\0');
  bool is_code = false;
  const auto read = guarded(display_name(path), [&]() -> Result<Scenario> {
    file.emplace(path, options.files);
    // The first bytes determine the kind of file. A pipe may deliver them in pieces. All signatures are shorter than
    // any scenario, so this does not wait for more than one scenario.
    constexpr std::size_t told_bytes = 24;
    std::size_t there = 0;
    while (there < told_bytes) {
      const std::size_t count = file->read(std::span(begin).subspan(there));
      there += count;
      if (count == 0) break;
    }
    begin.resize(there);
    is_code = code_file_kind(begin, path).has_value();
    if (is_code) begin = file->read_all(std::move(begin), file_limit_bytes, "a file of code");
    return Scenario{};
  });
  if (!read) return handle(read);
  if (is_code) return load_each(std::move(begin), path, options, handle);
  DocumentStream documents(std::move(begin), [&](std::span<char> buffer) { return file->read(buffer); }, path);
  load_documents(documents, path, options, is_guessed(path), std::numeric_limits<std::size_t>::max(), handle);
}

}  // namespace salu
