0s_mov_b32 s0, 0
---
s_xor_b32 s2, s0, 0x12345678
s_cmp_eq_u32 s2, 0
s_cselect_b32 s0, 1, 0
