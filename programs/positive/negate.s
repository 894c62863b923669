s_sub_i32 s0, 0, s0
s_cmp_lt_i32 s0, 0
s_cselect_b32 s0, 1, 0
s_endpgm
