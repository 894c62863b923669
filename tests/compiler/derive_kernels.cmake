# Derives files from the IR of kernels that must be consistent with it.
# In: sources (IR files, '|' between them), out (folder), prelude (IR to put before native.ll). Out:
#   gpu.ll         the kernels in one module, code object version 5; `call void @results(i32, i32)` writes s40, s41
#   gpu.lane.ll    the same for results in vector registers: reads their first lane
#   native.ll      the kernels as functions, each with a wrapper void native_NAME(void *kernel arguments), and layout_NAME
#   table.cpp  the table of kernels() in suite.hpp
# A kernel NAME may have helpers, `define internal void @NAME.helper() noinline #0`. They pass values by
# `call void @hand_over(i32)` and `call i32 @take_over()`: LLVM 19 is not consistent about the place of `inreg` arguments.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" sources "${sources}")

set(gpu "")
set(native_part "")
set(table_declarations "")
set(table_rows "")

foreach(source IN LISTS sources)
  get_filename_component(file "${source}" NAME)
  file(READ "${source}" text)
  string(APPEND gpu "${text}\n")

  string(REGEX MATCHALL "\ndefine [^\n]*" definitions "\n${text}")
  foreach(definition IN LISTS definitions)
    if(definition MATCHES "define internal [^\n]* @[a-z0-9_]+\\.")
      continue()
    endif()
    if(NOT definition MATCHES "define amdgpu_kernel void @([a-z0-9_]+)\\(([^\n]*)\\) (#0 )?{")
      message(FATAL_ERROR "${source}: not of the form 'define amdgpu_kernel void @name(TYPE %x, ...) {':${definition}")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(arguments "${CMAKE_MATCH_2}")

    set(body "")
    set(passed "")
    set(types "")
    set(argument_rows "")
    set(layout "")
    set(index 0)
    string(REPLACE ", " ";" arguments "${arguments}")
    foreach(argument IN LISTS arguments)
      if(NOT argument MATCHES "^(ptr addrspace\\([14]\\)|%[a-z]+|\\[[^]]*\\]|<[^>]*>|[a-z0-9]+)( .*)? %([a-z0-9_]+)$")
        message(FATAL_ERROR "${source}: @${name}: not of the form 'TYPE %x': ${argument}")
      endif()
      set(type "${CMAKE_MATCH_1}")
      set(argument_name "${CMAKE_MATCH_3}")
      set(kind value)
      string(APPEND body "  %p${index} = getelementptr %kernarg_${name}, ptr %arguments, i32 0, i32 ${index}\n")
      if(argument MATCHES "byref\\(([^)]*)\\)")
        set(type "${CMAKE_MATCH_1}")
        list(APPEND passed "ptr %p${index}")
      else()
        if(type MATCHES "^ptr")
          set(type "ptr")
          set(kind pointer)
        elseif(type STREQUAL "i1")
          set(kind bit)
        endif()
        string(APPEND body "  %a${index} = load ${type}, ptr %p${index}\n")
        list(APPEND passed "${type} %a${index}")
      endif()
      list(APPEND types "${type}")
      list(APPEND argument_rows "{\"${argument_name}\", KernelParameter::Kind::${kind}}")
      list(APPEND layout
        "i64 ptrtoint (ptr getelementptr (%kernarg_${name}, ptr null, i32 0, i32 ${index}) to i64)"
        "i64 ptrtoint (ptr getelementptr (${type}, ptr null, i32 1) to i64)")
      math(EXPR index "${index} + 1")
    endforeach()
    # The last word of the layout: bytes of all arguments.
    list(APPEND layout "i64 ptrtoint (ptr getelementptr (%kernarg_${name}, ptr null, i32 1) to i64)")
    list(LENGTH layout words)
    foreach(list IN ITEMS passed types argument_rows layout)
      list(JOIN ${list} ", " ${list})
    endforeach()
    string(APPEND native_part "%kernarg_${name} = type { ${types} }\n"
      "@layout_${name} = constant [${words} x i64] [${layout}]\n"
      "define void @native_${name}(ptr %arguments) {\n${body}  call void @${name}(${passed})\n  ret void\n}\n\n")
    string(APPEND table_declarations "extern \"C\" void native_${name}(const void* arguments);\n"
      "extern \"C\" const salu::u64 layout_${name}[];\n")
    string(APPEND table_rows
      "      {\"${name}\", \"kernel_ir/${file}\", {${argument_rows}}, layout_${name}, native_${name}},\n")
  endforeach()
endforeach()

file(READ "${prelude}" native)
string(APPEND native "${gpu}")
string(REPLACE "define amdgpu_kernel " "define internal " native "${native}")
string(REGEX REPLACE " byref\\([^)]*\\) align [0-9]+ " " " native "${native}")
string(REPLACE " #0 {" " {" native "${native}")
string(REGEX REPLACE " (noalias|readonly|inreg)( readonly)? %" " %" native "${native}")
string(REPLACE " amdgpu_gfx " " " native "${native}")
string(REGEX REPLACE "\n(@[a-z0-9_]+) = (internal )?(unnamed_addr )?addrspace\\(4\\)" "\n\\1 = internal" native "${native}")
string(REGEX REPLACE " addrspace\\([14]\\)" "" native "${native}")
string(REPLACE "@llvm.amdgcn." "@native." native "${native}")

# s29 is not preserved by calls, and is the last register that code would choose.
string(REPLACE "call void @hand_over(" "call void asm sideeffect \"\", \"{s29}\"(" gpu "${gpu}")
string(REPLACE "call i32 @take_over(" "call i32 asm sideeffect \"\", \"={s29}\"(" gpu "${gpu}")
set(gpu_lane "${gpu}")
string(REGEX REPLACE "\n  call void @results\\(i32 %([a-z0-9_.]+), i32 ([^)]*)\\)" "
  %\\1.first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %\\1)
  %\\1.second = call i32 @llvm.amdgcn.readfirstlane.i32(i32 \\2)
  call void @results(i32 %\\1.first, i32 %\\1.second)" gpu_lane "${gpu_lane}")
string(APPEND gpu_lane "declare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n")
foreach(module gpu gpu_lane)
  string(REPLACE "call void @results(" "call void asm sideeffect \"\", \"{s40},{s41}\"(" ${module} "${${module}}")
  string(APPEND ${module} "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 500}\n")
endforeach()

file(WRITE "${out}/gpu.ll" "${gpu}")
file(WRITE "${out}/gpu.lane.ll" "${gpu_lane}")
file(WRITE "${out}/native.ll" "${native}\n${native_part}")
file(WRITE "${out}/table.cpp" "#include \"compiler/suite.hpp\"

${table_declarations}
namespace salu::compiler_test {

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
${table_rows}  };
  return all;
}

}  // namespace salu::compiler_test
")
