/// Encodes the contents of the editors as part of an address, and decodes it. No data is sent.
const share = (() => {
  const prefix = '#play=';
  // Longer addresses than the editors can produce are rejected before unpacking.
  const mostBytes = 4 << 20;

  async function through(bytes, transform) {
    const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
    const parts = [];
    let size = 0;
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      size += value.length;
      if (size > mostBytes) {
        reader.cancel().catch(() => {});
        throw new Error('it unpacks to more than 4 MiB');
      }
      parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  async function pack(state) {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return prefix + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  }

  /// Returns null if the address contains no programs. Throws if its contents are damaged.
  async function unpack(hash) {
    if (!hash.startsWith(prefix)) return null;
    const packed = atob(hash.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await through(Uint8Array.from(packed, (c) => c.charCodeAt(0)), new DecompressionStream('deflate-raw'));
    const state = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
    if (typeof state?.text !== 'string') throw new Error('it contains no program');
    const text = (value) => (typeof value === 'string' ? value : '');
    return {text: state.text, file: text(state.file), target: text(state.target), other: text(state.other),
      otherFile: text(state.otherFile), inputs: text(state.inputs), outputs: text(state.outputs)};
  }
  return {pack, unpack};
})();
