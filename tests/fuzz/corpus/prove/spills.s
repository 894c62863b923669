1v_writelane_b32 v0, s0, 3
s_mov_b32 s0, 0
v_readlane_b32 s0, v0, 3
---
s_nop 0
