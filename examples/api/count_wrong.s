// Meant to count the bits of s1, and loses the highest.
s_bitset0_b32 s1, 31
s_bcnt1_i32_b32 s0, s1
s_endpgm
