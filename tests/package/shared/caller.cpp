#include <cstdio>

extern "C" unsigned int run_addition();

int main() { std::printf("s0 = %u\n", run_addition()); }
