#include "loader/launch/object_kernels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "loader/assembly/text_assembler.hpp"
#include "loader/assembly/text_object.hpp"
#include "loader/objects/entry_function.hpp"
#include "loader/objects/kernel_code_header.hpp"
#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

constexpr u8 os_abi_amdhsa = 64;

/// Completes a kernel for which the metadata of the object is missing or incomplete.
void complete(KernelMetadata& kernel, const KernelCodeHeader& header, const std::string& file) {
  // Some compilers wrote an alignment of 2^32 for a kernel without arguments.
  constexpr u32 highest_alignment = 16;
  if (header.kernarg_size_bytes > most_kernarg_bytes) {
    reject(ErrorCode::elf, {file},
           fmt::format("the header of the kernel `{}` (amd_kernel_code_t) cannot be used: it specifies {} bytes of "
                       "arguments",
                       kernel.name.substr(0, 80), header.kernarg_size_bytes));
  }
  kernel.has_code_header = true;
  kernel.kernarg_size_bytes = std::max(kernel.kernarg_size_bytes, header.kernarg_size_bytes);
  kernel.kernarg_alignment =
      std::max(kernel.kernarg_alignment, u64{1} << std::min<u32>(header.kernarg_alignment, highest_alignment));
  kernel.group_segment_bytes = header.group_segment_bytes;
  kernel.private_segment_bytes = header.private_segment_bytes;
  // 0 means that the count is not specified.
  if (!kernel.sgpr_count && header.sgpr_count != 0) kernel.sgpr_count = header.sgpr_count;
  if (!kernel.vgpr_count && header.vgpr_count != 0) kernel.vgpr_count = header.vgpr_count;
}

/// Adds a kernel with a header, or completes its metadata.
void add_header(const std::string& name, const KernelCodeHeader& header, const std::string& file,
                std::vector<KernelMetadata>& kernels) {
  const std::string descriptor = name + std::string(descriptor_suffix);
  auto kernel = std::ranges::find(kernels, descriptor, &KernelMetadata::descriptor_symbol);
  if (kernel == kernels.end()) {
    KernelMetadata unknown;
    unknown.name = name;
    unknown.descriptor_symbol = descriptor;
    unknown.knows_arguments = false;
    kernel = kernels.insert(kernels.end(), std::move(unknown));
  }
  complete(*kernel, header, file);
}

void add_headers(const ElfImage& image, const std::string& file, std::vector<KernelMetadata>& kernels) {
  for (const ElfSymbol& symbol : image.symbols) {
    if (const auto header = find_kernel_code_header(image, symbol, file))
      add_header(symbol.name, *header, file, kernels);
  }
}

/// Returns the kernels of a text. Rejects a text with errors.
std::vector<KernelMetadata> kernels_of_text(const CodeInput& input, const Target& target) {
  const u64 base = input.base.value_or(default_base);
  AssembledText text = assemble_text(input, target, base);
  if (!text.errors.empty()) reject_text(std::move(text));
  if (text.by_llvm()) return kernels_of_object(text.object, input.file);
  std::vector<KernelMetadata> kernels =
      parse_kernel_metadata(object_of_text(text.own, input, target).notes, input.file);
  for (const auto& [kernel, header] : headers_of_text(text.own, base))
    add_header(kernel.name, header, input.file, kernels);
  return kernels;
}

}  // namespace

std::vector<KernelMetadata> kernels_of_object(std::string_view bytes, const std::string& file) {
  const ElfImage image = read_elf(bytes, file);
  std::vector<KernelMetadata> kernels;
  // Objects for AMD's PAL describe pipelines in a note of the same type.
  if (image.os_abi == os_abi_amdhsa) kernels = parse_kernel_metadata(image.notes, file);
  add_headers(image, file, kernels);
  return kernels;
}

std::vector<KernelMetadata> kernels_of_input(const CodeInput& input, const Target& target) {
  if (input.kind == CodeInput::Kind::elf) return kernels_of_object(input.text, input.file);
  return may_have_kernels(input) ? kernels_of_text(input, target) : std::vector<KernelMetadata>{};
}

}  // namespace salu::loader
