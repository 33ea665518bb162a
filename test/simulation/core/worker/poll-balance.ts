/** Keeps the polls of the sticky queue and those of the normal one from taking all slots from each other. */
export class PollBalance {
  readonly #slots: number;
  readonly #active = { sticky: 0, normal: 0 };
  #stickyBacklog = 0;
  #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Waits until one more poll of this kind may begin, or until the signal aborts. */
  async begin(kind: 'sticky' | 'normal', signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#allows(kind)) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.push(wake);
        signal.addEventListener('abort', wake);
      });
    }
    this.#active[kind] += 1;
  }

  end(kind: 'sticky' | 'normal'): void {
    this.#active[kind] -= 1;
    this.#wake();
  }

  /** How many tasks the server still has on the sticky queue. */
  sawBacklog(count: number): void {
    this.#stickyBacklog = count;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #allows(kind: 'sticky' | 'normal'): boolean {
    const { sticky, normal } = this.#active;
    const other = kind === 'sticky' ? normal : sticky;
    if (this.#active[kind] === 0) return true;
    if (other === 0 && this.#active[kind] + 1 >= this.#slots) return false;
    if (this.#stickyBacklog > 1 && this.#stickyBacklog > sticky) return kind === 'sticky';
    return sticky + normal < this.#slots;
  }
}
