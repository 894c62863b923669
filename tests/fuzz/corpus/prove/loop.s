:s_mov_b32 s4, 0
loop:
s_add_u32 s4, s4, s1
s_sub_u32 s0, s0, 1
s_cmp_lg_u32 s0, 0
s_cbranch_scc1 loop
s_mov_b32 s0, s4
s_endpgm
---
s_mul_i32 s0, s0, s1
s_mov_b32 s4, s0
s_endpgm
