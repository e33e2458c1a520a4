// In the place of the browser's serial ports: one that a program behind the test is at the end of.
// As in the Web Serial API: a stream that was cancelled or closed is followed by a new one.
(() => {
  const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const encode = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

  class Port extends EventTarget {
    #open = false;
    #reading = null;
    #writing = null;
    #controller = null;
    #lost = false;

    getInfo() {
      return { usbVendorId: 0x10c4, usbProductId: 0xea60 };
    }

    get readable() {
      if (!this.#open) return null;
      this.#reading ??= new ReadableStream({
        start: (controller) => { this.#controller = controller; },
        cancel: () => { this.#reading = this.#controller = null; },
      });
      return this.#reading;
    }

    get writable() {
      if (!this.#open) return null;
      this.#writing ??= new WritableStream({
        write: async (chunk) => {
          const there = !this.#lost && (await window.serialWrite(encode(new Uint8Array(chunk))));
          if (!there) this.#lose();
        },
        close: () => { this.#writing = null; },
        abort: () => { this.#writing = null; },
      });
      return this.#writing;
    }

    async open() {
      if (this.#open) throw new DOMException("The port is already open.", "InvalidStateError");
      this.#open = true;
    }

    async close() {
      if (this.#reading?.locked || this.#writing?.locked) {
        throw new TypeError("A stream of the port is locked.");
      }
      this.#open = false;
      this.#reading = this.#writing = this.#controller = null;
    }

    async setSignals(signals) {
      if (this.#lost) throw new DOMException("The device has been lost.", "NetworkError");
      await window.serialSignals(signals);
    }

    async getSignals() {
      return { clearToSend: true, dataCarrierDetect: true, dataSetReady: true, ringIndicator: false };
    }

    async forget() {}

    #lose() {
      this.#lost = true;
      const error = new DOMException("The device has been lost.", "NetworkError");
      this.#controller?.error(error);
      throw error;
    }

    receive(text) {
      void this.readable;
      this.#controller?.enqueue(decode(text));
    }
  }

  window.serialPort = new Port();
  const serial = Object.assign(new EventTarget(), {
    requestPort: async () => window.serialPort,
    getPorts: async () => [window.serialPort],
  });
  Object.defineProperty(Navigator.prototype, "serial", { configurable: true, get: () => serial });
})();
