# The program is one module, so its code need not be position-independent.
set(CMAKE_CXX_COMPILE_OPTIONS_PIC "")
# std::jthread is still experimental in libc++ 19.
add_compile_definitions(_LIBCPP_ENABLE_EXPERIMENTAL)
include_directories(BEFORE SYSTEM "${CMAKE_CURRENT_LIST_DIR}/charconv")
