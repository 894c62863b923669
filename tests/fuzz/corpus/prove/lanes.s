0v_cmp_gt_u32 vcc, v0, v1
v_cndmask_b32 v0, v1, v0, vcc
v_readlane_b32 s0, v0, 3
---
v_max_u32 v0, v0, v1
v_readlane_b32 s0, v0, 3
