#include <salu/target.hpp>

#include <cstdio>

int main() { std::printf("%s\n", salu::find_target("fiji")->name.data()); }
