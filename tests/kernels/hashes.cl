/* Hashes, ciphers and generators. */
#include "kernels.h"

#define ROTATE(value, by) ((value) << (by) | (value) >> (8 * sizeof(value) - (by)))

KERNEL(fnv) {
  u32 hash = 0x811c9dc5;
  u64 wide = 0xcbf29ce484222325UL;
  for (u32 k = 0; k < 32; ++k) {
    const u32 byte = IN(k >> 2) >> 8 * (k & 3) & 0xff;
    hash = (hash ^ byte) * 0x01000193;
    wide = (wide ^ byte) * 0x100000001b3UL;
  }
  OUT(0) = hash;
  OUT64(1, wide);
}

KERNEL(murmur) {
  u32 hash = n;
  for (u32 k = 0; k < 8; ++k) {
    u32 word = IN(k) * 0xcc9e2d51;
    word = ROTATE(word, 15) * 0x1b873593;
    hash ^= word;
    hash = ROTATE(hash, 13) * 5 + 0xe6546b64;
  }
  hash = (hash ^ 32 ^ (hash ^ 32) >> 16) * 0x85ebca6b;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35;
  OUT(0) = hash ^ hash >> 16;
}

KERNEL(xxhash) {
  u32 v[4] = {0x24234428, 0x85ebca77, 0, 0x61c8864f};
  for (u32 k = 0; k < 8; ++k) {
    v[k & 3] += IN(k) * 0x85ebca77;
    v[k & 3] = ROTATE(v[k & 3], 13) * 0x9e3779b1;
  }
  u32 hash = ROTATE(v[0], 1) + ROTATE(v[1], 7) + ROTATE(v[2], 12) + ROTATE(v[3], 18) + 32;
  hash = (hash ^ hash >> 15) * 0x85ebca77;
  hash = (hash ^ hash >> 13) * 0xc2b2ae3d;
  OUT(0) = hash ^ hash >> 16;
}

KERNEL(siphash) {
  const u64 k0 = 0x0706050403020100UL, k1 = 0x0f0e0d0c0b0a0908UL;
  u64 a = k0 ^ 0x736f6d6570736575UL, b = k1 ^ 0x646f72616e646f6dUL, c = k0 ^ 0x6c7967656e657261UL, d = k1 ^ 0x7465646279746573UL;
  for (u32 k = 0; k < 6; ++k) {
    const u64 message = k < 4 ? IN64(2 * k) : 0;
    if (k < 4) d ^= message;
    else c ^= 0xff;
    for (u32 round = 0; round < 2; ++round) {
      a += b; b = ROTATE(b, 13); b ^= a; a = ROTATE(a, 32);
      c += d; d = ROTATE(d, 16); d ^= c;
      a += d; d = ROTATE(d, 21); d ^= a;
      c += b; b = ROTATE(b, 17); b ^= c; c = ROTATE(c, 32);
    }
    if (k < 4) a ^= message;
  }
  OUT64(0, a ^ b ^ c ^ d);
}

TABLE u32 sha_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

KERNEL(sha256) {
  u32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  u32 words[16], h[8];
  for (u32 k = 0; k < 8; ++k) {
    words[k] = __builtin_bswap32(IN(k));
    words[k + 8] = k == 0 ? 0x80000000 : k == 7 ? 256 : 0;
    h[k] = state[k];
  }
  for (u32 k = 0; k < 64; ++k) {
    const u32 e = h[4], a = h[0];
    const u32 first = h[7] + (ROTATE(e, 26) ^ ROTATE(e, 21) ^ ROTATE(e, 7)) + ((e & h[5]) ^ (~e & h[6])) + sha_constants[k] + words[k & 15];
    const u32 second = (ROTATE(a, 30) ^ ROTATE(a, 19) ^ ROTATE(a, 10)) + ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
    for (u32 j = 7; j != 0; --j) h[j] = h[j - 1];
    h[4] += first;
    h[0] = first + second;
    const u32 x = words[(k + 1) & 15], y = words[(k + 14) & 15];
    words[k & 15] += (ROTATE(x, 25) ^ ROTATE(x, 14) ^ x >> 3) + words[(k + 9) & 15] + (ROTATE(y, 15) ^ ROTATE(y, 13) ^ y >> 10);
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = state[k] + h[k];
}

KERNEL(chacha) {
  u32 start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, x[16];
  for (u32 k = 0; k < 8; ++k) start[k + 4] = IN(k);
  start[12] = item();
  start[13] = n;
  start[14] = 0x4a000000;
  start[15] = 0;
  for (u32 k = 0; k < 16; ++k) x[k] = start[k];
#define QUARTER(a, b, c, d)                                       \
  x[a] += x[b]; x[d] ^= x[a]; x[d] = ROTATE(x[d], 16);            \
  x[c] += x[d]; x[b] ^= x[c]; x[b] = ROTATE(x[b], 12);            \
  x[a] += x[b]; x[d] ^= x[a]; x[d] = ROTATE(x[d], 8);             \
  x[c] += x[d]; x[b] ^= x[c]; x[b] = ROTATE(x[b], 7);
  for (u32 round = 0; round < 4; ++round) {
    QUARTER(0, 4, 8, 12)
    QUARTER(1, 5, 9, 13)
    QUARTER(2, 6, 10, 14)
    QUARTER(3, 7, 11, 15)
    QUARTER(0, 5, 10, 15)
    QUARTER(1, 6, 11, 12)
    QUARTER(2, 7, 8, 13)
    QUARTER(3, 4, 9, 14)
  }
  for (u32 k = 0; k < 16; ++k) OUT(k) = x[k] + start[k];
}

KERNEL(adler) {
  u32 a = 1, b = 0;
  for (u32 k = 0; k < 32; ++k) {
    a = (a + (IN(k >> 2) >> 8 * (k & 3) & 0xff)) % 65521;
    b = (b + a) % 65521;
  }
  OUT(0) = b << 16 | a;
}

KERNEL(crc_by_bits) {
  u16 crc = 0xffff;
  u64 wide = 0;
  for (u32 k = 0; k < 4; ++k) {
    crc ^= (u16)IN(k);
    wide ^= IN64(k);
    for (u32 bit = 0; bit < 16; ++bit) {
      crc = crc & 1 ? (u16)(crc >> 1 ^ 0xa001) : (u16)(crc >> 1);
      wide = (i64)wide < 0 ? wide << 1 ^ 0x42f0e1eba9ea3693UL : wide << 1;
    }
  }
  OUT(0) = crc;
  OUT64(1, wide);
}

KERNEL(jenkins) {
  u32 hash = 0;
  for (u32 k = 0; k < 8 + IN(0) % 16; ++k) {
    hash += IN(k >> 2) >> 8 * (k & 3) & 0xff;
    hash += hash << 10;
    hash ^= hash >> 6;
  }
  hash += hash << 3;
  hash ^= hash >> 11;
  OUT(0) = hash + (hash << 15);
}

KERNEL(generators) {
  u32 x = IN(0) | 1;
  u64 state = IN64(1), weyl = 0;
  u32 shift_register = (IN(3) & 0xffff) | 1;
  for (u32 k = 0; k < 5; ++k) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    const u32 shifted = (u32)((state >> 18 ^ state) >> 27), by = (u32)(state >> 59);
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    weyl += 0x9e3779b97f4a7c15UL;
    u64 mixed = (weyl ^ weyl >> 30 ^ x) * 0xbf58476d1ce4e5b9UL;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebUL;
    shift_register = shift_register >> 1 ^ (0 - (shift_register & 1) & 0xb400);
    OUT(3 * k) = x ^ shift_register;
    OUT(3 * k + 1) = shifted >> by | shifted << (-by & 31);
    OUT(3 * k + 2) = (u32)(mixed >> 31 ^ mixed);
  }
}

KERNEL(tea) {
  u32 a = IN(0), b = IN(1), sum = 0;
  for (u32 round = 0; round < 16; ++round) {
    a += ((b << 4 ^ b >> 5) + b) ^ (sum + IN(2 + (sum & 3)));
    sum += 0x9e3779b9;
    b += ((a << 4 ^ a >> 5) + a) ^ (sum + IN(2 + (sum >> 11 & 3)));
  }
  OUT(0) = a;
  OUT(1) = b;
}

KERNEL(poly1305_limbs) {
  u32 h[5] = {0, 0, 0, 0, 0}, r[5];
  for (u32 k = 0; k < 5; ++k) r[k] = IN(k) & 0x3ffffff;
  for (u32 block = 0; block < 3; ++block) {
    for (u32 k = 0; k < 5; ++k) h[k] += IN((k + block) & 7) & 0x3ffffff;
    u64 d[5];
    for (u32 i = 0; i < 5; ++i) {
      d[i] = 0;
      for (u32 j = 0; j < 5; ++j) d[i] += (u64)h[j] * (i >= j ? r[i - j] : 5 * r[i + 5 - j]);
    }
    u64 carry = 0;
    for (u32 i = 0; i < 5; ++i) {
      d[i] += carry;
      carry = d[i] >> 26;
      h[i] = (u32)d[i] & 0x3ffffff;
    }
    h[0] += (u32)carry * 5;
  }
  for (u32 k = 0; k < 5; ++k) OUT(k) = h[k];
}
