import type { Draw } from '../../time/draw.js';
import type { Link, RpcCall } from '../link.js';
import { CallError, CANCELLED, toCallError, UNAVAILABLE, UNIMPLEMENTED } from './call-error.js';
import type { Home } from './home.js';
import { Retries, type CallKind } from './retries.js';

export interface CallOptions {
  kind: CallKind;
  /** Milliseconds for each try. */
  timeoutMs?: number | undefined;
  /** Gives up waiting, and repeats nothing. */
  signal?: AbortSignal | undefined;
}

export interface ConnectionOptions {
  link: Link | undefined;
  home: Home;
  draw: Draw;
  sdk: { name: string; version: string };
}

/** What the server can, as it says at the begin of a connection. */
export interface Capabilities {
  sdkMetadata: boolean;
  buildIdBasedVersioning: boolean;
}

const CALL_TIMEOUT_MS = 30_000;
const LONG_POLL_TIMEOUT_MS = 70_000;

/** The connection of one client or more to a server. */
export class Connection {
  readonly home: Home;
  readonly draw: Draw;
  readonly sdk: { name: string; version: string };
  capabilities: Capabilities = { sdkMetadata: false, buildIdBasedVersioning: false };
  readonly #link: Link | undefined;

  constructor({ link, home, draw, sdk }: ConnectionOptions) {
    this.#link = link;
    this.home = home;
    this.draw = draw;
    this.sdk = sdk;
  }

  /** @throws CallError where the server cannot be reached: nothing is repeated here */
  async connect(): Promise<void> {
    const call: RpcCall = { service: 'WorkflowService', rpc: 'GetSystemInfo', request: {} };
    const answer = await this.call(call, { kind: 'once' }).catch((error: unknown) => {
      if (toCallError(error).code === UNIMPLEMENTED) return {};
      throw error;
    });
    const capabilities: unknown = Reflect.get(answer, 'capabilities');
    const can = (name: string): boolean =>
      typeof capabilities === 'object' &&
      capabilities !== null &&
      Reflect.get(capabilities, name) === true;
    this.capabilities = {
      sdkMetadata: can('sdkMetadata'),
      buildIdBasedVersioning: can('buildIdBasedVersioning'),
    };
  }

  /** @throws CallError */
  async call(call: RpcCall, options: CallOptions): Promise<object> {
    const { home } = this;
    const retries = new Retries(options.kind, home.now(), this.draw);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(call, options);
      } catch (thrown: unknown) {
        const error = toCallError(thrown);
        const delayMs =
          options.signal?.aborted === true ? undefined : retries.next(error, attempt, home.now());
        if (delayMs === undefined) throw error;
        await this.#pause(delayMs, options.signal);
      }
    }
  }

  #attempt(call: RpcCall, { kind, timeoutMs, signal }: CallOptions): Promise<object> {
    const { home } = this;
    const isLong = kind === 'taskPoll' || kind === 'userLongPoll';
    return new Promise((resolve, reject) => {
      if (this.#link === undefined) {
        reject(new CallError(UNAVAILABLE, 'transport error'));
        return;
      }
      // Of short calls the server need not know that nobody waits any more.
      const canWait = isLong || timeoutMs !== undefined || call.rpc.startsWith('Poll');
      const controller = canWait ? new AbortController() : undefined;
      const settle = (act: () => void): void => {
        cancelTimer();
        signal?.removeEventListener('abort', stop);
        act();
      };
      const giveUp = (error: CallError): void => {
        settle(() => {
          reject(error);
        });
        controller?.abort();
      };
      const stop = (): void => {
        giveUp(new CallError(CANCELLED, 'Cancelled'));
      };
      const cancelTimer = home.after(
        timeoutMs ?? (isLong ? LONG_POLL_TIMEOUT_MS : CALL_TIMEOUT_MS),
        () => {
          // Not DEADLINE_EXCEEDED: that is how the gRPC library of core tells its own timeouts (seen with core 1.24).
          giveUp(new CallError(CANCELLED, 'Timeout expired'));
        },
      );
      if (signal?.aborted === true) {
        stop();
        return;
      }
      signal?.addEventListener('abort', stop);
      this.#link
        .call(controller ? { ...call, signal: controller.signal } : call, home.process)
        .then(
          (answer) => {
            home.deliver(() => {
              settle(() => {
                resolve(answer);
              });
            });
          },
          (error: unknown) => {
            home.deliver(() => {
              settle(() => {
                reject(error instanceof Error ? error : new Error(String(error)));
              });
            });
          },
        );
    });
  }

  /** @throws CallError when there is nothing to wait for any more */
  #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        cancel();
        reject(new CallError(CANCELLED, 'Cancelled'));
      };
      const cancel = this.home.after(ms, () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      signal?.addEventListener('abort', stop);
    });
  }
}
