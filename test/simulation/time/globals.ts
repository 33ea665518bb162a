import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timersPromises from 'node:timers/promises';
import zlib, { type InputType, type ZlibOptions } from 'node:zlib';

import type { Cancel, Clock } from './clock.js';
import type { Draw } from './draw.js';
import { currentProcess } from './processes.js';

const RealDate = Date;
const real = { setImmediate, clearImmediate, performanceNow: performance.now.bind(performance) };

/** The functions of the platform that know the time or draw at random. */
export interface Globals {
  /** Waits until nothing runs any more but what waits for the clock. */
  settle(): Promise<void>;
  restore(): void;
}

/** What `setTimeout` gives: Node's own has these methods, and callers use them. */
class VirtualTimeout {
  #cancel: Cancel;
  constructor(cancel: Cancel) {
    this.#cancel = cancel;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  close(): this {
    this.#cancel();
    return this;
  }
  [Symbol.toPrimitive](): number {
    return 0;
  }
  [Symbol.dispose](): void {
    this.#cancel();
  }
}

/** A timer of the process that asks for it, or of the world around. */
function after(clock: Clock, ms: number, act: () => void): Cancel {
  const process = currentProcess();
  return process === undefined ? clock.after(ms, act) : process.after(ms, act);
}

function every(clock: Clock, ms: number, act: () => void): Cancel {
  let cancel: Cancel;
  const again = (): void => {
    cancel = after(clock, Math.max(1, ms), () => {
      again();
      act();
    });
  };
  again();
  return () => {
    cancel();
  };
}

type Replacement = readonly [target: object, name: string, value: unknown];

/** Replaces time and chance of this OS process by those of a simulation, until they are restored. */
export function installGlobals(clock: Clock, draw: Draw): Globals {
  const immediates = createImmediates();
  const undo = [
    ...timers(clock),
    ...times(clock),
    ...chances(draw),
    ...compression(),
    ...immediates.replacements,
  ].map(replace);
  syncBuiltinESMExports();
  return {
    settle: immediates.settle,
    restore() {
      for (const put of undo.reverse()) put();
      syncBuiltinESMExports();
    },
  };
}

function replace([target, name, value]: Replacement): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: true,
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}

function timers(clock: Clock): Replacement[] {
  const clear = (timer: unknown): void => {
    if (timer instanceof VirtualTimeout) timer.close();
  };
  const timeout = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    new VirtualTimeout(
      after(clock, ms, () => {
        act(...args);
      }),
    );
  const interval = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    new VirtualTimeout(
      every(clock, ms, () => {
        act(...args);
      }),
    );
  return [
    [globalThis, 'setTimeout', timeout],
    [globalThis, 'clearTimeout', clear],
    [globalThis, 'setInterval', interval],
    [globalThis, 'clearInterval', clear],
    [timersPromises, 'setTimeout', createDelay(clock)],
    [AbortSignal, 'timeout', createTimeoutSignal(clock)],
  ];
}

interface DelayOptions {
  signal?: AbortSignal;
}

function createDelay(clock: Clock) {
  return <T>(ms = 0, value?: T, { signal }: DelayOptions = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        reject(abortError(signal));
      };
      const cancel = after(clock, ms, () => {
        signal?.removeEventListener('abort', stop);
        resolve(value);
      });
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });
}

function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error('The operation was aborted', { cause: signal?.reason });
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
}

function createTimeoutSignal(clock: Clock) {
  return (ms: number): AbortSignal => {
    const controller = new AbortController();
    after(clock, ms, () => {
      controller.abort(
        new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
      );
    });
    return controller.signal;
  };
}

/** What time it is, as the process that runs now believes. */
function nowHere(clock: Clock): number {
  return clock.now() + (currentProcess()?.clockAheadMs ?? 0);
}

/** Dates stay real dates; only those of now are virtual. */
function times(clock: Clock): Replacement[] {
  const startsAt = clock.now();
  const elapsed = (): number => clock.now() - startsAt;
  const nanoseconds = (): bigint => BigInt(Math.round(elapsed() * 1e6));
  const hrtime = Object.assign(
    ([seconds, nanos]: [number, number] = [0, 0]): [number, number] => {
      const ns = elapsed() * 1e6 - (seconds * 1e9 + nanos);
      return [Math.floor(ns / 1e9), Math.round(ns % 1e9)];
    },
    { bigint: nanoseconds },
  );
  return [
    [globalThis, 'Date', createDate(clock)],
    [performance, 'now', elapsed],
    [process, 'hrtime', hrtime],
  ];
}

function createDate(clock: Clock): DateConstructor {
  let now: unknown = () => nowHere(clock);
  return new Proxy(RealDate, {
    construct(target, args: unknown[], newTarget) {
      const made: unknown = Reflect.construct(
        target,
        args.length === 0 ? [nowHere(clock)] : args,
        newTarget === proxyOf() ? target : newTarget,
      );
      if (made instanceof RealDate) return made;
      throw new TypeError('what was made is no date');
    },
    apply: () => new RealDate(nowHere(clock)).toString(),
    get: (target, name, receiver): unknown =>
      name === 'now' ? now : Reflect.get(target, name, receiver),
    // A test may set the clock of the process. The real one stays as it is.
    set: (target, name, value): boolean => {
      if (name !== 'now') return Reflect.set(target, name, value);
      now = value;
      return true;
    },
  });
}

function proxyOf(): unknown {
  return globalThis.Date;
}

function chances(draw: Draw): Replacement[] {
  const chance = draw.fork('random');
  const bytes = (size: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => chance.number(0, 255)));
  const fill = <T extends NodeJS.ArrayBufferView>(view: T): T => {
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(bytes(view.byteLength));
    return view;
  };
  const uuid = (): string => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  return [
    [Math, 'random', chance.fraction],
    [crypto, 'randomUUID', uuid],
    [crypto, 'randomBytes', bytes],
    [crypto, 'randomFillSync', fill],
    [globalThis.crypto, 'randomUUID', uuid],
    [globalThis.crypto, 'getRandomValues', fill],
  ];
}

type Compressed = (error: Error | null, bytes?: Buffer) => void;

/** The threads of Node would take real time, and virtual time would go on meanwhile. */
function compression(): Replacement[] {
  const atOnce =
    (act: (input: InputType, options?: ZlibOptions) => Buffer) =>
    (input: InputType, options: ZlibOptions, done: Compressed): void => {
      queueMicrotask(() => {
        let bytes: Buffer;
        try {
          bytes = act(input, options);
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        done(null, bytes);
      });
    };
  return [
    [zlib, 'gzip', atOnce(zlib.gzipSync)],
    [zlib, 'gunzip', atOnce(zlib.gunzipSync)],
  ];
}

/** What is not over yet while a file is read, and while it is closed then. */
const FILE_REQUEST = /^(?:FSReq|CloseReq)/;

/** Tests of scenarios have files that the product reads. Seeds have none. */
function readsFile(): boolean {
  return process.getActiveResourcesInfo().some((name) => FILE_REQUEST.test(name));
}

/**
 * Everything in the simulation runs in microtasks, except what the sandbox of workflows gives to `setImmediate`. So when no
 * immediate is left and a turn has passed, nothing runs any more.
 */
function createImmediates() {
  const open = new Set<NodeJS.Immediate>();
  const immediate = (act: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    const handle = real.setImmediate(() => {
      open.delete(handle);
      act(...args);
    });
    open.add(handle);
    return handle;
  };
  // As the real one it takes what was never set, or was set before the simulation.
  const clear = (handle: NodeJS.Immediate | undefined): void => {
    if (handle === undefined) return;
    open.delete(handle);
    real.clearImmediate(handle);
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      real.setImmediate(resolve);
    });
  const replacements: Replacement[] = [
    [globalThis, 'setImmediate', immediate],
    [globalThis, 'clearImmediate', clear],
  ];
  return {
    replacements,
    settle: async (): Promise<void> => {
      do await turn();
      while (open.size > 0 || readsFile());
    },
  };
}
