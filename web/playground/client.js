/// The worker from the page's side: questions that are answered later, and an end to those that take too long.
class Client {
  /// `files`: path to text or bytes. `changed` is told whether something runs.
  constructor(module, files, changed) {
    this.module = module;
    this.files = new Map(files);
    this.changed = changed;
    const source = `${makeSalu}\n(${serveSalu})();`;
    this.url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
    this.start();
  }

  start() {
    this.pending = new Map();
    this.number = 0;
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({data}) => this.receive(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.restart(`salu could not go on: ${event.message ?? 'the worker failed'}`);
    };
    this.send({module: this.module, files: [...this.files]}, true);
  }

  receive({number, answer, broken}) {
    const waiting = this.pending.get(number);
    this.pending.delete(number);
    this.tell();
    if (broken !== undefined) {
      waiting?.resolve({error: `salu could not go on: ${broken}. It has been started again.`, lost: true});
      this.restart('salu has been started again');
    } else {
      waiting?.resolve(answer);
    }
  }

  /// `isQuiet`: nobody waits for it.
  send(message, isQuiet = false) {
    return new Promise((resolve) => {
      const number = ++this.number;
      this.pending.set(number, {resolve, isQuiet});
      this.tell();
      this.worker.postMessage({number, ...message});
    });
  }

  tell() {
    this.changed([...this.pending.values()].some(({isQuiet}) => !isQuiet));
  }

  put(path, contents) {
    this.files.set(path, contents);
    this.waitingFiles = [...(this.waitingFiles ?? []), [path, contents]];
  }

  /// The answer; `error` says what went wrong, with `lost` where the worker and what it knew of a run are gone.
  ask(question) {
    const files = this.waitingFiles;
    this.waitingFiles = undefined;
    return this.send({files, question});
  }

  /// Ends whatever runs, and begins anew.
  restart(why) {
    this.worker.terminate();
    const waiting = [...this.pending.values()];
    this.waitingFiles = undefined;
    this.start();
    this.tell();
    for (const {resolve} of waiting) resolve({error: why, lost: true});
  }
}
