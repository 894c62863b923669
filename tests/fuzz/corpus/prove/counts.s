>s_ff1_i32_b32 s4, s0
s_flbit_i32_b32 s5, s1
s_sext_i32_i16 s0, s0
s_bfm_b32 s1, s4, s5
s_brev_b32 s0, s0
s_abs_i32 s1, s1
---
s_ff0_i32_b32 s4, s0
s_not_b32 s0, s0
s_absdiff_i32 s1, s0, s1
