# Derives files from the IR sources that must be consistent with them.
# In: sources (IR files, '|' between them), out (folder), table (name of the C++ function that lists the functions),
# prelude (IR to put before native.ll; optional). Out:
#   gpu.ll         the functions unchanged, in one module
#   gpu_asm.ll     the same, with the result in an inline assembly operand instead of a `ret`: at -O0 GlobalISel
#                  moves a returned value through a vector register even if it was computed in an SGPR
#   gpu.lane.ll, gpu_asm.lane.ll   each function in a form that compiles if its result is in vector registers: it
#                  reads the first lane of the result
#   native.ll      the functions without amdgpu_ps, inreg and address spaces, each with a wrapper
#                  void native_NAME(i64 *arguments, i64 *results)
#   table.cpp  the table in suite.hpp
# An argument is an integer, a pointer, or a buffer descriptor, <4 x i32>. A function NAME may have helpers,
# `define internal ... @NAME.helper`, which return a value by `call void @hand_over(i32)`, `call i32 @take_over()`.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" sources "${sources}")

set(gpu "")
set(table_declarations "")
set(table_rows "")
set(wrappers "")
set(define_pattern "define amdgpu_ps ({[^}\n]*}|[a-z0-9]+) @([a-z0-9_]+)\\(([^\n]*)\\) {")

foreach(source IN LISTS sources)
  get_filename_component(file "${source}" NAME)
  get_filename_component(folder "${source}" DIRECTORY)
  get_filename_component(folder "${folder}" NAME)
  file(READ "${source}" text)
  string(APPEND gpu "${text}\n")

  string(REGEX MATCHALL "\ndefine [^\n]*" definitions "\n${text}")
  foreach(definition IN LISTS definitions)
    if(definition MATCHES "define internal [^\n]* @[a-z0-9_]+\\.")
      continue()
    endif()
    if(NOT definition MATCHES "${define_pattern}")
      message(FATAL_ERROR "${source}: not of the form 'define amdgpu_ps TYPE @name(TYPE inreg %x, ...) {':${definition}")
    endif()
    set(result_type "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    set(arguments "${CMAKE_MATCH_3}")

    # Each argument is one i64, a descriptor two; each result is one i64.
    set(body "")
    set(passed "")
    set(argument_rows "")
    set(index 0)
    string(REPLACE ", " ";" arguments "${arguments}")
    foreach(argument IN LISTS arguments)
      if(NOT argument MATCHES "^(i[0-9]+|ptr addrspace\\(4\\)|<4 x i32>) inreg .*%([a-z0-9_]+)$")
        message(FATAL_ERROR "${source}: @${name}: not of the form 'TYPE inreg %x': ${argument}")
      endif()
      set(type "${CMAKE_MATCH_1}")
      set(argument_name "${CMAKE_MATCH_2}")
      string(APPEND body "  %p${index} = getelementptr i64, ptr %arguments, i64 ${index}\n")
      if(type STREQUAL "<4 x i32>")
        string(APPEND body "  %d${index} = load <4 x i32>, ptr %p${index}, align 8\n")
        list(APPEND passed "<4 x i32> %d${index}")
        list(APPEND argument_rows "{\"${argument_name}\", Argument::Kind::descriptor, 128}")
        math(EXPR index "${index} + 2")
        continue()
      endif()
      string(APPEND body "  %w${index} = load i64, ptr %p${index}\n")
      string(REPLACE "i" "" bits "${type}")
      set(kind integer)
      if(type STREQUAL "i64")
        list(APPEND passed "i64 %w${index}")
      elseif(type MATCHES "^ptr")
        set(bits 64)
        set(kind pointer)
        string(APPEND body "  %a${index} = inttoptr i64 %w${index} to ptr\n")
        list(APPEND passed "ptr %a${index}")
      else()
        string(APPEND body "  %a${index} = trunc i64 %w${index} to ${type}\n")
        list(APPEND passed "${type} %a${index}")
      endif()
      list(APPEND argument_rows "{\"${argument_name}\", Argument::Kind::${kind}, ${bits}}")
      math(EXPR index "${index} + 1")
    endforeach()
    list(JOIN passed ", " passed)
    string(APPEND body "  %r = call ${result_type} @${name}(${passed})\n")

    set(result_bits "")
    set(index 0)
    string(REGEX MATCHALL "i[0-9]+" result_types "${result_type}")
    foreach(type IN LISTS result_types)
      string(REPLACE "i" "" bits "${type}")
      set(value "%r")
      if(result_type MATCHES "{")
        string(APPEND body "  %e${index} = extractvalue ${result_type} %r, ${index}\n")
        set(value "%e${index}")
      endif()
      if(NOT type STREQUAL "i64")
        string(APPEND body "  %x${index} = zext ${type} ${value} to i64\n")
        set(value "%x${index}")
      endif()
      string(APPEND body "  %q${index} = getelementptr i64, ptr %results, i64 ${index}\n")
      string(APPEND body "  store i64 ${value}, ptr %q${index}\n")
      list(APPEND result_bits "${bits}")
      math(EXPR index "${index} + 1")
    endforeach()
    string(APPEND wrappers "define void @native_${name}(ptr %arguments, ptr %results) {\n${body}  ret void\n}\n\n")

    list(JOIN argument_rows ", " argument_rows)
    list(JOIN result_bits ", " result_bits)
    string(APPEND table_declarations "extern \"C\" void native_${name}(const salu::u64* arguments, salu::u64* results);\n")
    string(APPEND table_rows "      {\"${name}\", \"${folder}/${file}\", {${argument_rows}}, {${result_bits}}, native_${name}},\n")
  endforeach()
endforeach()

set(native "${gpu}")
# s40 is not saved by either side of a call.
string(REPLACE "call void @hand_over(" "call void asm sideeffect \"\", \"{s40}\"(" gpu "${gpu}")
string(REPLACE "call i32 @take_over(" "call i32 asm sideeffect \"\", \"={s40}\"(" gpu "${gpu}")

# Reads the result of a function into SGPRs, wherever it was computed. A name gets the suffix `.first`; LLVM reads 32
# bits at a time.
function(read_first_lane type name out)
  set(first "call i32 @llvm.amdgcn.readfirstlane.i32(i32")
  if(type STREQUAL "i64")
    set(text "
  %${name}.low = trunc i64 %${name} to i32
  %${name}.shifted = lshr i64 %${name}, 32
  %${name}.high = trunc i64 %${name}.shifted to i32
  %${name}.first.low = ${first} %${name}.low)
  %${name}.first.high = ${first} %${name}.high)
  %${name}.lower = zext i32 %${name}.first.low to i64
  %${name}.wide = zext i32 %${name}.first.high to i64
  %${name}.upper = shl i64 %${name}.wide, 32
  %${name}.first = or i64 %${name}.upper, %${name}.lower")
  elseif(type STREQUAL "i16")
    set(text "
  %${name}.wide = zext i16 %${name} to i32
  %${name}.first.wide = ${first} %${name}.wide)
  %${name}.first = trunc i32 %${name}.first.wide to i16")
  else()
    set(text "\n  %${name}.first = ${first} %${name})")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
set(gpu_lane "${gpu}")
foreach(type i16 i32 i64)
  read_first_lane(${type} "\\1" read)
  string(REGEX REPLACE "\n  ret ${type} %([a-z0-9_.]+)" "${read}\n  ret ${type} %\\1.first" gpu_lane "${gpu_lane}")
endforeach()
foreach(types "i32|i32" "i64|i32" "i64|i64")
  string(REPLACE "|" ";" types "${types}")
  list(GET types 0 type0)
  list(GET types 1 type1)
  set(pair "{ ${type0}, ${type1} }")
  read_first_lane(${type0} "\\1.0" read0)
  read_first_lane(${type1} "\\1.1" read1)
  string(REGEX REPLACE "\n  ret ${pair} %([a-z0-9_.]+)" "
  %\\1.0 = extractvalue ${pair} %\\1, 0
  %\\1.1 = extractvalue ${pair} %\\1, 1${read0}${read1}
  %\\1.half = insertvalue ${pair} poison, ${type0} %\\1.0.first, 0
  %\\1.both = insertvalue ${pair} %\\1.half, ${type1} %\\1.1.first, 1
  ret ${pair} %\\1.both" gpu_lane "${gpu_lane}")
endforeach()
string(APPEND gpu_lane "declare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n")

# Returns the result of functions by an inline assembly operand.
function(hand_results_to_asm ir out)
  string(REGEX REPLACE "define amdgpu_ps ({[^}\n]*}|[a-z0-9]+) @" "define amdgpu_ps void @" ir "${ir}")
  foreach(rule "i16|s0" "i32|s0" "i64|s[0:1]")
    string(REPLACE "|" ";" rule "${rule}")
    list(GET rule 0 type)
    list(GET rule 1 register)
    string(REGEX REPLACE "\n  ret ${type} ([^\n]*)"
      "\n  call void asm sideeffect \"\", \"{${register}}\"(${type} \\1)\n  ret void" ir "${ir}")
  endforeach()
  foreach(rule "i32|i32|s0|s1" "i64|i32|s[0:1]|s2" "i64|i64|s[0:1]|s[2:3]")
    string(REPLACE "|" ";" rule "${rule}")
    list(GET rule 0 type0)
    list(GET rule 1 type1)
    list(GET rule 2 register0)
    list(GET rule 3 register1)
    string(REGEX REPLACE "\n  ret { ${type0}, ${type1} } %([a-z0-9_.]+)"
      "\n  %\\1.0 = extractvalue { ${type0}, ${type1} } %\\1, 0\n  %\\1.1 = extractvalue { ${type0}, ${type1} } %\\1, 1\n  call void asm sideeffect \"\", \"{${register0}},{${register1}}\"(${type0} %\\1.0, ${type1} %\\1.1)\n  ret void"
      ir "${ir}")
  endforeach()
  if(ir MATCHES "\n  ret [^v][^\n]*")
    message(FATAL_ERROR "no rule says which SGPRs hold the result of${CMAKE_MATCH_0}")
  endif()
  set(${out} "${ir}" PARENT_SCOPE)
endfunction()
hand_results_to_asm("${gpu}" gpu_asm)
hand_results_to_asm("${gpu_lane}" gpu_asm_lane)

string(REPLACE "define amdgpu_ps " "define internal " native "${native}")
string(REPLACE " inreg " " " native "${native}")
string(REPLACE " amdgpu_gfx " " " native "${native}")
# A constant of the object is not a symbol of the test program.
string(REGEX REPLACE "\n(@[a-z0-9_]+) = addrspace" "\n\\1 = internal addrspace" native "${native}")
string(REPLACE "internal addrspace(4) " "internal " native "${native}")
string(REPLACE "internal unnamed_addr addrspace(4) " "internal unnamed_addr " native "${native}")
string(REPLACE " addrspace(4)" "" native "${native}")
string(REPLACE "@llvm.amdgcn." "@native." native "${native}")
if(prelude)
  file(READ "${prelude}" prelude)
  string(PREPEND native "${prelude}\n")
endif()

file(WRITE "${out}/gpu.ll" "${gpu}")
file(WRITE "${out}/gpu_asm.ll" "${gpu_asm}")
file(WRITE "${out}/gpu.lane.ll" "${gpu_lane}")
file(WRITE "${out}/gpu_asm.lane.ll" "${gpu_asm_lane}")
file(WRITE "${out}/native.ll" "${native}\n${wrappers}")
file(WRITE "${out}/table.cpp" "#include \"compiler/suite.hpp\"

${table_declarations}
namespace salu::compiler_test {

const std::vector<Function>& ${table}() {
  static const std::vector<Function> all = {
${table_rows}  };
  return all;
}

}  // namespace salu::compiler_test
")
