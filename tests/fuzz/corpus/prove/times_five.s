1s_mul_i32 s0, s0, 5
s_endpgm
---
s_lshl_b32 s1, s0, 2
s_add_u32 s0, s1, s0
s_endpgm
