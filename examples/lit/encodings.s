// One text, the words of two generations, and back.
//
// RUN: %salu asm --mcpu tahiti %s | %filecheck %s --check-prefix=TAHITI
// RUN: %salu asm --mcpu gfx900 %s | %filecheck %s --check-prefix=GFX900
// RUN: %salu asm --mcpu gfx900 %s --format bin -o %t.bin
// RUN: %salu dis --mcpu gfx900 %t.bin | %filecheck %s --check-prefix=BACK
//
// TAHITI: 87000201
// GFX900: 86000201
// BACK: s_and_b64 s[0:1], s[2:3], vcc
s_and_b32 s0, s1, s2
s_and_b64 s[0:1], s[2:3], vcc
s_endpgm
