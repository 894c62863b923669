/// The module with its system interface: files in memory, a clock, random bytes. Does not depend on a page, so that it runs in a worker (which gets it as text) and under node.
function makeSalu(module, print) {
  const success = 0;
  const noSuchDescriptor = 8;
  const invalid = 28;
  const noSuchFile = 44;
  const notSupported = 52;
  const readOnly = 69;
  const root = 3;
  const folderType = 3;
  const fileType = 4;
  const files = new Map(); // path without the first slash: {bytes, number}
  const open = new Map(); // descriptor: {file, at} or {folder}
  let numbers = 1;
  let exports = null;
  const view = () => new DataView(exports.memory.buffer);
  const bytesAt = (at, size) => new Uint8Array(exports.memory.buffer, at, size);
  const textAt = (at, size) => new TextDecoder().decode(bytesAt(at, size));

  /// Normalises a path from the root: `a/./b/../c` becomes `a/c`.
  function normalise(path) {
    const parts = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return parts.join('/');
  }
  const pathIn = (descriptor, at, size) => {
    const base = open.get(descriptor)?.folder ?? '';
    return normalise(`${base}/${textAt(at, size)}`);
  };
  const isFolder = (path) => path === '' || [...files.keys()].some((name) => name.startsWith(`${path}/`));
  function writeStat(at, file) {
    bytesAt(at, 64).fill(0);
    view().setBigUint64(at + 8, BigInt(file ? file.number : 0), true);
    view().setUint8(at + 16, file ? fileType : folderType);
    view().setBigUint64(at + 24, 1n, true);
    view().setBigUint64(at + 32, BigInt(file ? file.bytes.length : 0), true);
  }
  const vectors = (at, count) => [...Array(count).keys()].map((i) =>
    bytesAt(view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)));
  function read(entry, from, at, count) {
    let done = 0;
    for (const room of vectors(at, count)) {
      const part = entry.file.bytes.subarray(from + done, from + done + room.length);
      room.set(part);
      done += part.length;
      if (part.length < room.length) break;
    }
    return done;
  }

  const wasi = {
    fd_prestat_get(descriptor, at) {
      if (descriptor !== root) return noSuchDescriptor;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return success;
    },
    fd_prestat_dir_name(descriptor, at) {
      if (descriptor !== root) return noSuchDescriptor;
      view().setUint8(at, '/'.charCodeAt(0));
      return success;
    },
    path_open(folder, lookup, at, size, how, rights, inherited, flags, result) {
      const path = pathIn(folder, at, size);
      const file = files.get(path);
      const creates = 1;
      const wantsFolder = 2;
      if (file === undefined && !isFolder(path)) return how & creates ? readOnly : noSuchFile;
      if (file !== undefined && how & wantsFolder) return 54; // ENOTDIR
      let descriptor = root + 1;
      while (open.has(descriptor)) ++descriptor;
      open.set(descriptor, file === undefined ? {folder: path} : {file, at: 0});
      view().setUint32(result, descriptor, true);
      return success;
    },
    fd_close: (descriptor) => (open.delete(descriptor) ? success : noSuchDescriptor),
    fd_read(descriptor, at, count, result) {
      const entry = open.get(descriptor);
      let done = 0;
      if (descriptor !== 0) {
        if (entry?.file === undefined) return entry === undefined ? noSuchDescriptor : 31; // EISDIR
        done = read(entry, entry.at, at, count);
        entry.at += done;
      }
      view().setUint32(result, done, true);
      return success;
    },
    fd_pread(descriptor, at, count, from, result) {
      const entry = open.get(descriptor);
      if (entry?.file === undefined) return noSuchDescriptor;
      view().setUint32(result, read(entry, Number(from), at, count), true);
      return success;
    },
    fd_seek(descriptor, offset, from, result) {
      const entry = open.get(descriptor);
      if (entry?.file === undefined) return noSuchDescriptor;
      const to = Number(offset) + [0, entry.at, entry.file.bytes.length][from];
      if (!(to >= 0)) return invalid;
      entry.at = to;
      view().setBigUint64(result, BigInt(to), true);
      return success;
    },
    fd_write(descriptor, at, count, result) {
      if (descriptor !== 1 && descriptor !== 2) return noSuchDescriptor;
      let size = 0;
      let text = '';
      for (const part of vectors(at, count)) {
        text += new TextDecoder().decode(part);
        size += part.length;
      }
      print?.(text);
      view().setUint32(result, size, true);
      return success;
    },
    fd_fdstat_get(descriptor, at) {
      const entry = descriptor === root ? {folder: ''} : open.get(descriptor);
      if (entry === undefined && descriptor > 2) return noSuchDescriptor;
      bytesAt(at, 24).fill(0);
      view().setUint8(at, entry === undefined ? 2 : entry.file ? fileType : folderType);
      view().setBigUint64(at + 8, ~0n, true);
      view().setBigUint64(at + 16, ~0n, true);
      return success;
    },
    fd_filestat_get(descriptor, at) {
      const entry = descriptor === root ? {folder: ''} : open.get(descriptor);
      if (entry === undefined) return noSuchDescriptor;
      writeStat(at, entry.file);
      return success;
    },
    path_filestat_get(folder, lookup, at, size, result) {
      const path = pathIn(folder, at, size);
      if (!files.has(path) && !isFolder(path)) return noSuchFile;
      writeStat(result, files.get(path));
      return success;
    },
    path_readlink: () => invalid,
    clock_time_get(clock, precision, at) {
      view().setBigUint64(at, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)), true);
      return success;
    },
    random_get(at, size) {
      crypto.getRandomValues(bytesAt(at, size));
      return success;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return success;
    },
    environ_get: () => success,
    proc_exit(code) {
      throw new Error(`the module ended with exit code ${code}`);
    },
  };

  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = wasi[name] ?? (() => notSupported);
  }
  exports = new WebAssembly.Instance(module, imports).exports;
  exports._initialize();

  return {
    put(path, contents) {
      const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
      files.set(normalise(path), {bytes, number: numbers++});
    },
    remove: (path) => files.delete(normalise(path)),
    /// Sends a request and returns its answer (web/playground/wasm/playground.cpp).
    ask(question) {
      const bytes = new TextEncoder().encode(JSON.stringify(question));
      const room = exports.salu_allocate(bytes.length);
      if (room === 0) return {error: 'out of memory: this does not fit into the memory of a browser tab'};
      bytesAt(room, bytes.length).set(bytes);
      const at = exports.salu_ask(room, bytes.length);
      const answer = JSON.parse(textAt(at, exports.salu_answer_bytes()));
      exports.salu_release(room);
      return answer;
    },
    memoryBytes: () => exports.memory.buffer.byteLength,
  };
}

/// The worker: it receives the module once, then files and requests, one message each.
function serveSalu() {
  let salu = null;
  self.onmessage = ({data: {number, module, files, question}}) => {
    try {
      if (module) salu = makeSalu(module);
      for (const [path, contents] of files ?? []) salu.put(path, contents);
      self.postMessage({number, answer: question ? salu.ask(question) : {}});
    } catch (error) {
      // After a trap the state of the module is undefined: the page must start a new worker.
      self.postMessage({number, broken: String(error?.message ?? error)});
    }
  };
}

if (typeof module !== 'undefined') module.exports = {makeSalu};
