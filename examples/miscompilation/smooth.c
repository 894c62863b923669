// A low-pass filter with a 40-bit state, like the accumulator of a signal processor.
static long wrap40(long value) {
  unsigned long shifted = (unsigned long)value << 24;
  return (long)shifted >> 24;
}

static long step(long state, int sample) {
  long difference = wrap40(sample - state);
  return wrap40(state + (difference >> 2));
}

long smooth(long state, int first, int second, int third) {
  state = step(state, first);
  state = step(state, second);
  return step(state, third);
}
