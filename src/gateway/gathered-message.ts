import { IncomingMessage } from 'node:http';

/** Longer parts are handed on as they come: to copy them would cost more than it saves. */
const SMALL_BYTES = 4_096;
const MOST_HELD = 16_384;

/**
 * A request whose body is handed on in pieces of some size. Node hands on each chunk of a chunked body by itself, and two
 * megabytes can be hundreds of thousands: each would be read, counted and held as if it were a long one.
 */
export class GatheredMessage extends IncomingMessage {
  #held: Buffer | undefined;
  #length = 0;

  override push(part: unknown, encoding?: BufferEncoding): boolean {
    if (part instanceof Uint8Array && part.length <= SMALL_BYTES) return this.#gather(part);
    this.#handOn();
    return super.push(part, encoding);
  }

  #gather(part: Uint8Array): boolean {
    if (this.#length + part.length > MOST_HELD) this.#handOn();
    this.#held ??= Buffer.allocUnsafeSlow(MOST_HELD);
    if (this.#length === 0) {
      // What has come in one packet is here by then.
      setImmediate(() => {
        this.#handOn();
      });
    }
    this.#held.set(part, this.#length);
    this.#length += part.length;
    // Without room Node stops the connection. It goes on when somebody has read this piece, which is handed on in any case.
    return this.readableLength + this.#length < this.readableHighWaterMark;
  }

  #handOn(): void {
    if (this.#held === undefined || this.#length === 0 || this.destroyed) return;
    // A copy of its size: a byte that comes by itself would keep the whole buffer.
    const piece = Buffer.from(this.#held.subarray(0, this.#length));
    this.#length = 0;
    super.push(piece);
  }
}
