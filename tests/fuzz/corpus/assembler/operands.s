s_mov_b64 s[0:1], -17
s_mov_b64 exec, vcc
s_and_b32 vcc_lo, ttmp0, m0
s_mov_b32 flat_scratch_lo, xnack_mask_hi
s_mov_b64 tba, tma
s_add_f32 s0, s1, s2
s_mov_b32 s0, 0x3f800000
s_mov_b32 s1, 1.0
s_mov_b64 s[2:3], 2.0
s_cselect_b32 s5, scc, src_execz
