s_cmp_gt_i32 s0, 0
s_cselect_b32 s0, 1, 0
s_endpgm
