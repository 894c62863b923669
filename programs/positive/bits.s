s_sub_i32 s1, 0, s0
s_or_b32 s1, s1, s0
s_andn2_b32 s1, s1, s0
s_lshr_b32 s0, s1, 31
s_endpgm
