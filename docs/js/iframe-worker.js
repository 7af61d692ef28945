// Search in pages that are opened from a folder: there browsers start no worker, so an invisible frame runs its script.

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #inner;
    #waiting = []; // messages for the script, until it is loaded

    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.#inner = frame.contentWindow;
      this.#inner.postMessage = (data) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
      this.#inner.importScripts = (...scripts) => Promise.all(scripts.map((script) => this.#load(script)));
      this.#load(address).then(() => {
        const waiting = this.#waiting;
        this.#waiting = null;
        for (const data of waiting) this.postMessage(data);
      });
    }

    #load(address) {
      return new Promise((done, failed) => {
        const script = this.#inner.document.createElement("script");
        script.src = address;
        script.onload = done;
        script.onerror = failed;
        this.#inner.document.head.append(script);
      });
    }

    postMessage(data) {
      if (this.#waiting) this.#waiting.push(data);
      else this.#inner.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
