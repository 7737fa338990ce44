/* Search of pages that are opened from a folder: a browser starts no worker there, so a hidden frame is one. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(script) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      window.addEventListener("message", ({ data, source }) => {
        if (source === this.frame.contentWindow) {
          this.dispatchEvent(new MessageEvent("message", { data }));
        }
      });
      document.addEventListener("DOMContentLoaded", () => this.start(script));
      if (document.body) this.start(script);
    }
    start(script) {
      if (this.frame.isConnected) return;
      document.body.append(this.frame);
      const inside = this.frame.contentDocument;
      const code = inside.createElement("script");
      const self = this.frame.contentWindow;
      self.postMessage = (data) => window.dispatchEvent(new MessageEvent("message", { data, source: self }));
      code.src = script;
      code.onload = () => {
        this.ready = true;
        for (const data of this.waiting.splice(0)) this.postMessage(data);
      };
      inside.body.append(code);
    }
    postMessage(data) {
      if (!this.ready) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
