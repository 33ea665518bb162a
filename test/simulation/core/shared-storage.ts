import { AsyncLocalStorage } from 'node:async_hooks';

type Values = ReadonlyMap<object, unknown>;

const everything = new AsyncLocalStorage<Values>();

/**
 * In the place of Node's own class, for what lives only as long as one simulation: all of its objects share one storage. Each
 * storage of Node makes each promise of the process slower, and the SDK makes three for each workflow.
 */
export class SharedStorage {
  readonly name: string | undefined;
  #isDisabled = false;

  constructor(name?: string) {
    this.name = name;
  }

  getStore(): unknown {
    return this.#isDisabled ? undefined : everything.getStore()?.get(this);
  }

  run<R, A extends unknown[]>(store: unknown, act: (...args: A) => R, ...args: A): R {
    this.#isDisabled = false;
    return everything.run(this.#with(store), act, ...args);
  }

  exit<R, A extends unknown[]>(act: (...args: A) => R, ...args: A): R {
    return everything.run(this.#with(undefined), act, ...args);
  }

  enterWith(store: unknown): void {
    this.#isDisabled = false;
    everything.enterWith(this.#with(store));
  }

  disable(): void {
    this.#isDisabled = true;
  }

  #with(store: unknown): Values {
    return new Map(everything.getStore()).set(this, store);
  }
}
