import type { Resolution } from './local-activity.js';
import type { LocalActivity } from './asked-local-activity.js';

/** What the machines of a run want of the manager of local activities. */
export type LocalRequest =
  | { kind: 'new'; activity: LocalActivity }
  | { kind: 'cancel'; seq: number }
  | { kind: 'cancelAll' };

/** The local activities of a run that are asked for, or that a marker of the history ends before they are. */
export class LocalActivityData {
  #requests: LocalActivity[] = [];
  #cancels: number[] = [];
  readonly #executing = new Set<number>();
  /** In the order of their markers. */
  readonly #known: [number, Resolution][] = [];
  #isTerminating = false;

  enqueue(activity: LocalActivity): void {
    this.#requests.push(activity);
  }

  enqueueCancel(seq: number): void {
    this.#cancels.push(seq);
  }

  done(seq: number): void {
    this.#requests = this.#requests.filter((activity) => activity.seq !== seq);
    this.#executing.delete(seq);
  }

  takeAll(): LocalRequest[] {
    if (this.#isTerminating) return [{ kind: 'cancelAll' }];
    const cancels = this.#cancels.map((seq): LocalRequest => ({ kind: 'cancel', seq }));
    const starts = this.#requests.map((activity): LocalRequest => {
      this.#executing.add(activity.seq);
      return { kind: 'new', activity };
    });
    this.#cancels = [];
    this.#requests = [];
    return [...cancels, ...starts];
  }

  outstanding(): number {
    return this.#isTerminating ? 0 : this.#executing.size + this.#requests.length;
  }

  addKnown(seq: number, resolution: Resolution): void {
    this.#known.push([seq, resolution]);
  }

  takeKnown(seq: number): Resolution | undefined {
    const index = this.#known.findIndex(([other]) => other === seq);
    return index === -1 ? undefined : this.#known.splice(index, 1)[0]?.[1];
  }

  nextKnown(): number | undefined {
    return this.#known[0]?.[0];
  }

  takeRequest(seq: number): LocalActivity | undefined {
    const index = this.#requests.findIndex((activity) => activity.seq === seq);
    return index === -1 ? undefined : this.#requests.splice(index, 1)[0];
  }

  terminate(): void {
    this.#isTerminating = true;
  }
}
