/// The page's interface to the worker: asynchronous requests, which can be cancelled.
class Client {
  /// `files` maps paths to texts or bytes. `changed` is called with true while a request runs.
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
      this.restart(`salu failed: ${event.message ?? 'the worker failed'}`);
    };
    this.send({module: this.module, files: [...this.files]}, true);
  }

  receive({number, answer, broken}) {
    const waiting = this.pending.get(number);
    this.pending.delete(number);
    this.tell();
    if (broken !== undefined) {
      waiting?.resolve({error: `salu failed: ${broken}. It has been restarted.`, lost: true});
      this.restart('salu has been restarted');
    } else {
      waiting?.resolve(answer);
    }
  }

  /// `isQuiet`: the user does not wait for the request.
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

  /// Returns the answer. `error` is an error message; `lost` is set if the worker was restarted and its run is lost.
  ask(question) {
    const files = this.waitingFiles;
    this.waitingFiles = undefined;
    return this.send({files, question});
  }

  /// Stops the current request and restarts the worker.
  restart(why) {
    this.worker.terminate();
    const waiting = [...this.pending.values()];
    this.waitingFiles = undefined;
    this.start();
    this.tell();
    for (const {resolve} of waiting) resolve({error: why, lost: true});
  }
}
