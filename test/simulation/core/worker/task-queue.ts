/** What lang polls from core, one thing at a time. */
export class TaskQueue {
  readonly #items: Uint8Array[] = [];
  #waiting: { resolve: (item: Buffer) => void; reject: (error: Error) => void } | undefined;
  #error: Error | undefined;

  push(item: Uint8Array): void {
    if (this.#waiting === undefined) {
      this.#items.push(item);
      return;
    }
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve(toBuffer(item));
  }

  poll(): Promise<Buffer> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(toBuffer(item));
    if (this.#error !== undefined) return Promise.reject(this.#error);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Nothing comes any more: polls fail with this once all items are taken. */
  end(error: Error): void {
    this.#error ??= error;
    this.#waiting?.reject(this.#error);
    this.#waiting = undefined;
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
