# clang 19 for wasm32-wasi, without its linker driver: clang would run an installed wasm-opt, whose behaviour differs
# between versions.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# A program would need the libraries that are built with this toolchain.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

# Only features of engines of 2022 (node 18): no tail calls, no new form of exceptions.
set(salu_wasm_flags "-fwasm-exceptions -mbulk-memory -mnontrapping-fptoint -msign-ext -mmutable-globals")
set(salu_wasm_flags "${salu_wasm_flags} -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_MMAN -Wno-unused-command-line-argument")
set(salu_wasm_flags "${salu_wasm_flags} -isystem ${CMAKE_CURRENT_LIST_DIR}/shim")
set(CMAKE_C_FLAGS_INIT "${salu_wasm_flags}")
# Debian's libc++ headers match the sources that are compiled here, except for the configuration.
set(CMAKE_CXX_FLAGS_INIT "${salu_wasm_flags} -nostdinc++ -isystem ${CMAKE_CURRENT_LIST_DIR}/libcxx -isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1")

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

# The linker is called directly, so that its command does not depend on the installation. The sources declare the exports.
set(salu_wasm_link "wasm-ld-19 -m wasm32 --strip-all --no-entry --entry _initialize -z stack-size=1048576 --stack-first --max-memory=2147483648")
set(CMAKE_CXX_LINK_EXECUTABLE
  "${salu_wasm_link} -L/usr/lib/wasm32-wasi /usr/lib/wasm32-wasi/crt1-reactor.o <OBJECTS> -o <TARGET> <LINK_LIBRARIES> -lwasi-emulated-signal -lwasi-emulated-process-clocks -lwasi-emulated-mman -lc /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a")
