#include <fmt/core.h>

#include <array>

#include "dap/request.hpp"

// Requests about the sources of the code.
namespace salu::dap {

std::span<const Request> source_requests() {
  static constexpr std::array requests = std::to_array<Request>({
      {.name = "loadedSources",
       .states = states::with_program,
       .handle = [](Adapter& adapter, Arguments&) -> Result<Json> {
         return Json{{"sources", adapter.debuggee().sources.all()}};
       }},
      {.name = "source",
       .states = states::with_program,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const u64 reference = arguments.needed_count("sourceReference");
         if (arguments.problem()) return *arguments.problem();
         if (reference != static_cast<u64>(Sources::listing_reference))
           return refusal(fmt::format("no source with the reference {}", reference));
         return Json{{"content", adapter.debuggee().sources.listing()}, {"mimeType", "text/x-asm"}};
       }},
  });
  return requests;
}

}  // namespace salu::dap
