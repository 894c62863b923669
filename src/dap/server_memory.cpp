#include <algorithm>
#include <utility>

#include "dap/disassembly.hpp"
#include "dap/server.hpp"
#include "dap/texts.hpp"
#include "support/numbers.hpp"

// Requests about memory, code and its sources.
namespace salu::dap {
namespace {

constexpr u64 most_read = u64{1} << 20;
constexpr u64 most_written = u64{1} << 14;

/// How many bytes are mapped from an address on, `most` at most.
u64 mapped_bytes(const Memory& memory, u64 address, u64 most) {
  u64 bytes = 0;
  while (bytes < most) {
    const MemoryRegion* const region = memory.find_region(address + bytes);
    if (region == nullptr) break;
    bytes += region->end() - (address + bytes);
  }
  return std::min(bytes, most);
}

}  // namespace

/// `memoryReference` and `offset`.
Result<u64> Server::read_address(Arguments& arguments) const {
  const std::string reference = arguments.needed_text("memoryReference");
  const i64 offset = arguments.integer("offset", 0);
  if (arguments.problem()) return *arguments.problem();
  const std::optional<u64> address = support::parse_unsigned(reference);
  if (!address) return refusal("`memoryReference`: `" + reference.substr(0, 100) + "` is no address");
  return *address + static_cast<u64>(offset);
}

Result<Json> Server::read_memory(Arguments& arguments) {
  const u64 count = arguments.needed_count("count");
  const Result<u64> address = read_address(arguments);
  if (!address) return address.error();
  const Memory& memory = debuggee_->session.machine().memory_now();
  const u64 wanted = std::min(count, most_read);
  const u64 readable = mapped_bytes(memory, *address, wanted);
  Json body = {{"address", support::hex(*address)}};
  if (readable != 0) {
    std::vector<u8> bytes(static_cast<std::size_t>(readable));
    memory.read(*address, bytes);
    body["data"] = encode_base64(bytes);
  }
  // What is more than one answer holds may be asked for again.
  if (readable < wanted) body["unreadableBytes"] = count - readable;
  return body;
}

Result<Json> Server::write_memory(Arguments& arguments) {
  const std::string text = arguments.needed_text("data");
  const bool may_be_partial = arguments.flag("allowPartial", false);
  const Result<u64> address = read_address(arguments);
  if (!address) return address.error();
  const std::optional<std::vector<u8>> bytes = decode_base64(text);
  if (!bytes) return refusal("`data`: expected Base64");
  if (bytes->size() > most_written)
    return refusal("at most " + std::to_string(most_written) + " bytes can be written at once");
  const Memory& memory = debuggee_->session.machine().memory_now();
  const u64 writable = mapped_bytes(memory, *address, bytes->size());
  if (writable < bytes->size() && !may_be_partial)
    return refusal("the memory at " + support::hex(*address + writable) + " is not mapped");
  for (u64 done = 0; done < writable;) {
    u64 size = 8;
    while (size > writable - done) size /= 2;
    u64 value = 0;
    for (u64 i = 0; i < size; ++i) value |= u64{(*bytes)[static_cast<std::size_t>(done + i)]} << (8 * i);
    const Result<debug::Value> set = debuggee_->session.set(
        "[" + support::hex(*address + done) + ":" + std::to_string(size) + "]", support::hex(value));
    if (!set) return set.error();
    done += size;
  }
  if (writable != 0) tell_changed(*address, writable);
  return Json{{"offset", 0}, {"bytesWritten", writable}};
}

Result<Json> Server::disassemble(Arguments& arguments) {
  const i64 offset = arguments.integer("instructionOffset", 0);
  const u64 count = arguments.needed_count("instructionCount");
  arguments.flag("resolveSymbols", false);
  const Result<u64> address = read_address(arguments);
  if (!address) return address.error();
  constexpr i64 most = most_disassembled;
  if (count > most_disassembled || offset > most || offset < -most)
    return refusal("at most " + std::to_string(most) + " instructions can be shown, and passed over, at once");
  Json list = dap::disassemble(*debuggee_, *address, offset, count);
  for (Json& each : list) adjust_lines(each);
  return Json{{"instructions", std::move(list)}};
}

Result<Json> Server::loaded_sources(Arguments&) { return Json{{"sources", debuggee_->sources.all()}}; }

Result<Json> Server::source(Arguments& arguments) {
  const u64 reference = arguments.needed_count("sourceReference");
  if (arguments.problem()) return *arguments.problem();
  if (reference != static_cast<u64>(Sources::listing_reference))
    return refusal("there is no source with the reference " + std::to_string(reference));
  return Json{{"content", debuggee_->sources.listing()}, {"mimeType", "text/x-asm"}};
}

}  // namespace salu::dap
