0s_and_b32 s4, s0, s1
s_xor_b32 s5, s0, s1
s_lshr_b32 s5, s5, 1
s_add_u32 s0, s4, s5
s_endpgm
---
s_add_u32 s0, s0, s1
s_cselect_b32 s4, 0x80000000, 0
s_lshr_b32 s0, s0, 1
s_or_b32 s0, s0, s4
s_endpgm
