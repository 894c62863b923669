0s_mov_b64 s[8:9], 0
s_cbranch_i_fork s[4:5], there
s_branch met
there:
s_or_b64 s[8:9], s[8:9], exec
met:
s_cbranch_join s20
s_mov_b64 s[0:1], s[8:9]
---
s_mov_b64 s[0:1], s[4:5]
