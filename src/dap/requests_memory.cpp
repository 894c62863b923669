#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "dap/disassembly.hpp"
#include "dap/request.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Requests about memory and disassembly.
namespace salu::dap {
namespace {

constexpr u64 most_read = u64{1} << 20;
constexpr u64 most_written = u64{1} << 14;

/// Returns the number of mapped bytes from an address on, at most `most`.
u64 mapped_bytes(const Memory& memory, u64 address, u64 most) {
  u64 bytes = 0;
  while (bytes < most) {
    const MemoryRegion* const region = memory.find_region(address + bytes);
    if (region == nullptr) break;
    bytes += region->end() - (address + bytes);
  }
  return std::min(bytes, most);
}

/// Returns the number of unmapped bytes from an address on, at most `most`.
u64 unmapped_bytes(const Memory& memory, u64 address, u64 most) {
  for (const MemoryRegion& region : memory.regions()) {
    if (region.base > address) most = std::min(most, region.base - address);
  }
  return most;
}

/// `memoryReference` and `offset`.
Result<u64> read_address(Arguments& arguments) {
  const std::string reference = arguments.needed_text("memoryReference");
  const i64 offset = arguments.integer("offset", 0);
  if (arguments.problem()) return *arguments.problem();
  const std::optional<u64> address = support::parse_unsigned(reference);
  if (!address)
    return refusal("`memoryReference`: `" + std::string(support::beginning(reference, 100)) + "` is not an address");
  return *address + static_cast<u64>(offset);
}

/// Sets bytes from an address on, in pieces as large as possible.
std::optional<Error> write_bytes(debug::Session& session, u64 address, std::span<const u8> bytes) {
  while (!bytes.empty()) {
    std::size_t size = 8;
    while (size > bytes.size()) size /= 2;
    u64 value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= u64{bytes[i]} << (8 * i);
    const Result<expr::Value> set =
        session.set(fmt::format("[{}:{}]", support::hex(address), size), support::hex(value));
    if (!set) return set.error();
    address += size;
    bytes = bytes.subspan(size);
  }
  return std::nullopt;
}

}  // namespace

std::span<const Request> memory_requests() {
  static constexpr std::array requests = std::to_array<Request>({
      {.name = "readMemory",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const u64 count = arguments.needed_count("count");
         const Result<u64> address = read_address(arguments);
         if (!address) return address.error();
         const Memory& memory = adapter.session().machine().memory_now();
         const u64 wanted = std::min(count, most_read);
         const u64 readable = mapped_bytes(memory, *address, wanted);
         Json body = {{"address", support::hex(*address)}};
         if (readable != 0) {
           std::vector<u8> bytes(static_cast<std::size_t>(readable));
           memory.read(*address, bytes);
           body["data"] = encode_base64(bytes);
         }
         // Clients ask again for the rest of a long range, and for readable memory after a gap.
         if (readable < wanted) body["unreadableBytes"] = unmapped_bytes(memory, *address + readable, count - readable);
         return body;
       }},
      {.name = "writeMemory",
       .shows_user = true,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const std::string text = arguments.needed_text("data");
         const bool may_be_partial = arguments.flag("allowPartial", false);
         const Result<u64> address = read_address(arguments);
         if (!address) return address.error();
         const std::optional<std::vector<u8>> bytes = decode_base64(text);
         if (!bytes) return refusal("`data`: expected Base64");
         if (bytes->size() > most_written)
           return refusal(fmt::format("at most {} bytes can be written at once", most_written));
         debug::Session& session = adapter.session();
         const u64 writable = mapped_bytes(session.machine().memory_now(), *address, bytes->size());
         if (writable < bytes->size() && !may_be_partial)
           return refusal("the memory at " + support::hex(*address + writable) + " is not mapped");
         const auto there = std::span(*bytes).first(static_cast<std::size_t>(writable));
         if (const auto error = write_bytes(session, *address, there)) return *error;
         if (writable != 0) adapter.notices.tell_changed(*address, writable);
         return Json{{"offset", 0}, {"bytesWritten", writable}};
       }},
      {.name = "disassemble",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const i64 offset = arguments.integer("instructionOffset", 0);
         const u64 count = arguments.needed_count("instructionCount");
         arguments.flag("resolveSymbols", false);
         const Result<u64> address = read_address(arguments);
         if (!address) return address.error();
         constexpr i64 most = most_disassembled;
         if (count > most_disassembled || offset > most || offset < -most)
           return refusal(fmt::format("at most {} instructions can be listed and skipped at once", most));
         Json list = disassemble(adapter.debuggee(), *address, offset, count);
         for (Json& each : list) adapter.client.adjust_lines(each);
         return Json{{"instructions", std::move(list)}};
       }},
  });
  return requests;
}

}  // namespace salu::dap
