// How many bits of s1 are set.
s_bcnt1_i32_b32 s0, s1
s_endpgm
