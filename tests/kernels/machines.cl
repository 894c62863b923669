/* Interpreters, codecs and parsers: loops over a switch, whose way each lane's own data decides. */
#include "kernels.h"

KERNEL(byte_code) {
  u32 registers[4] = {IN(0), IN(1), IN(2), n}, at = 0, steps = 0;
  while (at < 24 && steps < 60) {
    const u32 code = IN(at >> 2) >> 8 * (at & 3) & 0xff;
    const u32 to = code & 3, from = code >> 2 & 3;
    ++at;
    ++steps;
    switch (code >> 4) {
      case 0: registers[to] += registers[from]; break;
      case 1: registers[to] -= registers[from]; break;
      case 2: registers[to] *= registers[from]; break;
      case 3: registers[to] ^= registers[from]; break;
      case 4: registers[to] = registers[from]; break;
      case 5: registers[to] >>= registers[from] & 31; break;
      case 6: registers[to] = registers[to] << 3 | from; break;
      case 7: if (registers[to] & 1) at += from; break;
      case 8: if (registers[to] > registers[from]) at -= at > 3 ? 3 : at; break;
      case 9: registers[to] = ~registers[from]; break;
      case 10: registers[to] %= registers[from] | 1; break;
      case 15: if (from == 3) at = 24; break;
      default: ++registers[to]; break;
    }
  }
  for (u32 k = 0; k < 4; ++k) OUT(k) = registers[k];
  OUT(4) = steps;
}

KERNEL(stack_machine) {
  i32 stack[8];
  u32 depth = 0;
  for (u32 k = 0; k < 48; ++k) {
    const u32 code = IN(k >> 3 & 7) >> 4 * (k & 7) & 15;
    if (code < 8) {
      if (depth < 8) stack[depth++] = (i32)(code * k);
      continue;
    }
    if (depth < 2) continue;
    const i32 b = stack[--depth], a = stack[depth - 1];
    u32 result;
    switch (code) {
      case 8: result = (u32)a + (u32)b; break;
      case 9: result = (u32)a - (u32)b; break;
      case 10: result = (u32)a * (u32)b; break;
      case 11: result = b == 0 || b == -1 ? 0 : (u32)(a / b); break;
      case 12: result = (u32)(a < b); break;
      case 13: result = (u32)(a & b); break;
      case 14: result = (u32)a << (b & 7); break;
      default: result = (u32)(a ^ b); break;
    }
    stack[depth - 1] = (i32)result;
  }
  OUT(0) = depth;
  for (u32 k = 0; k < depth; ++k) OUT(k + 1) = (u32)stack[k];
}

KERNEL(turing_machine) {
  /* The busy beaver of four states, and those near it. */
  u32 tape[8] = {0, 0, 0, 0, 0, 0, 0, 0}, at = 128, state = 0, steps = 0;
  while (state != 4 && steps < 130) {
    const u32 mask = 1U << (at & 31), is_set = (tape[at >> 5] & mask) != 0;
    u32 writes = 1, goes_right = 1, next = 4;
    switch (state * 2 + is_set) {
      case 0: next = 1; break;
      case 1: goes_right = 0; next = 1; break;
      case 2: goes_right = 0; next = 0; break;
      case 3: writes = 0; goes_right = 0; next = 2; break;
      case 4: next = IN(0) & 1 ? 4 : 2; break;
      case 5: goes_right = 0; next = 3; break;
      case 6: next = 3; break;
      default: writes = 0; next = IN(1) & 3; break;
    }
    tape[at >> 5] = writes ? tape[at >> 5] | mask : tape[at >> 5] & ~mask;
    at += goes_right ? 1 : ~0U;
    at &= 255;
    state = next;
    ++steps;
  }
  OUT(0) = steps;
  for (u32 k = 0; k < 8; ++k) OUT(k + 1) = tape[k];
}

KERNEL(game_of_life) {
  u64 board = IN64(0);
  for (u32 generation = 0; generation < IN(2) % 4; ++generation) {
    u64 next = 0;
    for (u32 cell = 0; cell < 64; ++cell) {
      const u32 x = cell & 7, y = cell >> 3;
      u32 count = 0;
      for (u32 k = 0; k < 9; ++k)
        if (k != 4) count += (u32)(board >> (((x + k % 3 + 7) & 7) | ((y + k / 3 + 7) & 7) << 3) & 1);
      if (count == 3 || (count == 2 && board >> cell & 1)) next |= 1UL << cell;
    }
    board = next;
  }
  OUT64(0, board);
}

KERNEL(run_lengths) {
  u32 written = 0, previous = IN(0) & 1, length = 0;
  for (u32 k = 0; k < 256 && written < 14; ++k) {
    const u32 bit = IN(k >> 5) >> (k & 31) & 1;
    if (bit == previous && length < 63) {
      ++length;
      continue;
    }
    OUT(written++) = length << 1 | previous;
    previous = bit;
    length = 1;
  }
  OUT(15) = written;
}

KERNEL(variable_length_numbers) {
  /* Seven bits a byte, the highest says that there are more. */
  u32 count = 0;
  u64 value = 0, shift = 0;
  for (u32 k = 0; k < 32; ++k) {
    const u64 byte = IN(k >> 2) >> 8 * (k & 3) & 0xff;
    value |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80 && shift < 56) continue;
    if (count < 7) OUT64(2 * count, value);
    ++count;
    value = shift = 0;
  }
  OUT(14) = count;
}

KERNEL(utf8) {
  u32 written = 0, left = 0, sign = 0;
  for (u32 k = 0; k < 32 && written < 15; ++k) {
    const u32 byte = IN(k >> 2) >> 8 * (k & 3) & 0xff;
    if (left != 0 && (byte & 0xc0) == 0x80) {
      sign = sign << 6 | (byte & 0x3f);
      if (--left == 0) OUT(written++) = sign;
      continue;
    }
    if (left != 0) OUT(written++) = 0xfffd;
    left = 0;
    if (byte < 0x80) {
      if (written < 15) OUT(written++) = byte;
    } else if (byte < 0xc0 || byte > 0xf7) {
      if (written < 15) OUT(written++) = 0xfffd;
    } else {
      left = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      sign = byte & (0x3f >> left);
    }
  }
  OUT(15) = written;
}

KERNEL(base64) {
  for (u32 k = 0; k < 10; ++k) {
    const u32 bits = (u32)((((u64)IN(k * 3 / 4 + 1 > 7 ? 7 : k * 3 / 4 + 1) << 32) | IN(k * 3 / 4 > 7 ? 7 : k * 3 / 4)) >> 24 * k % 32);
    u32 text = 0;
    for (u32 j = 0; j < 4; ++j) {
      const u32 six = bits >> 6 * j & 63;
      const u32 sign = six < 26 ? 'A' + six : six < 52 ? 'a' + six - 26 : six < 62 ? '0' + six - 52 : six == 62 ? '+' : '/';
      text |= sign << 8 * j;
    }
    OUT(k) = text;
  }
}

KERNEL(expressions) {
  /* Digits, signs of operations and brackets, from left to right. */
  i32 value = 0, saved[4];
  u32 operation = 0, saved_operation[4], depth = 0;
  for (u32 k = 0; k < 40; ++k) {
    const u32 token = IN(k / 6) >> 5 * (k % 6) & 31;
    if (token < 16) {
      const u32 a = (u32)value, b = token;
      value = (i32)(operation == 0 ? a + b : operation == 1 ? a - b : operation == 2 ? a * b : a / (b + 1));
    } else if (token < 24) {
      operation = token & 3;
    } else if (token < 28 && depth < 4) {
      saved[depth] = value;
      saved_operation[depth] = operation;
      ++depth;
      value = 0;
      operation = 0;
    } else if (token >= 28 && depth != 0) {
      --depth;
      const u32 a = (u32)saved[depth], b = (u32)value;
      operation = saved_operation[depth];
      value = (i32)(operation == 0 ? a + b : operation == 1 ? a - b : operation == 2 ? a * b : a ^ b);
    }
  }
  OUT(0) = (u32)value;
  OUT(1) = depth;
}

KERNEL(coin_change) {
  u16 ways[50];
  for (u32 k = 0; k < 50; ++k) ways[k] = k == 0;
  for (u32 coin = 0; coin < 3; ++coin) {
    const u32 value = 1 + (IN(coin) & 15);
    for (u32 k = value; k < 50; ++k) ways[k] = (u16)(ways[k] + ways[k - value]);
  }
  OUT(0) = ways[49];
  OUT(1) = ways[IN(3) % 50];
}

KERNEL(huge_numbers) {
  /* A power of three in eight words. */
  u32 words[8] = {1, 0, 0, 0, 0, 0, 0, 0};
  for (u32 k = 0; k < IN(0) % 40; ++k) {
    u64 carry = k & 1;
    for (u32 j = 0; j < 8; ++j) {
      carry += (u64)words[j] * (IN(1) | 3);
      words[j] = (u32)carry;
      carry >>= 32;
    }
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = words[k];
}
