import type { native } from '@temporalio/core-bridge';

/** A slot that is held. */
export interface Permit {
  release(): void;
}

/** So many things at a time. Who comes first gets the next free slot. */
export class Slots {
  readonly limit: number;
  #used = 0;
  readonly #waiting: ((permit: Permit) => void)[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  acquire(): Promise<Permit> {
    return new Promise((resolve) => {
      this.acquireThen(resolve);
    });
  }

  /** As {@link acquire}, at once where a slot is free. The function gives up waiting. */
  acquireThen(act: (permit: Permit) => void): () => void {
    if (this.#used < this.limit) {
      act(this.#take());
      return () => undefined;
    }
    this.#waiting.push(act);
    return () => {
      const index = this.#waiting.indexOf(act);
      if (index !== -1) this.#waiting.splice(index, 1);
    };
  }

  #take(): Permit {
    this.#used += 1;
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#used -= 1;
        if (this.#used < this.limit) this.#waiting.shift()?.(this.#take());
      },
    };
  }
}

/** Slots that follow the machine's load have as many here as they may have at most. */
export function slotLimit(supplier: native.SlotSupplierOptions): number {
  if (supplier.type === 'fixed-size') return supplier.numSlots;
  if (supplier.type === 'resource-based') return supplier.maximumSlots;
  throw new Error("the simulation knows no slot suppliers of one's own");
}
