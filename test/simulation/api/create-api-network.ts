import { currentProcess, outsideProcesses, type SimulatedProcess } from '../time/processes.js';
import type { Clock } from '../time/clock.js';
import { NO_HEADERS_AFTER_MS, noHeaders, toResponse, type Reply } from './api-answer.js';
import { createCallReader } from './api-call.js';
import { createTravel, type TravelOptions } from './travel.js';

export type ApiNetworkOptions = TravelOptions;

export interface ApiNetwork {
  /** For the `fetch` option of a client. The process that calls it gets the answer. */
  fetch: typeof globalThis.fetch;
  /** Calls that the API has not dealt with yet, whoever still waits for them. */
  inFlight(): number;
}

/** Between processes and the API: everything that can happen to a call, in virtual time. */
export function createApiNetwork(options: ApiNetworkOptions): ApiNetwork {
  const read = createCallReader();
  const travel = createTravel(options);
  let inFlight = 0;
  const landed = (): void => {
    inFlight -= 1;
  };
  return {
    inFlight: () => inFlight,
    fetch(input, init) {
      const process = currentProcess();
      const signal = init?.signal ?? undefined;
      return new Promise((resolve, reject) => {
        const caller = createCaller(options.clock, { process, signal, resolve, reject });
        if (signal?.aborted === true) return;
        inFlight += 1;
        outsideProcesses(() => {
          travel(read(input, init, process), landed).then(caller.hear, (error: unknown) => {
            caller.hear({ kind: 'broken', error });
          });
        });
      });
    },
  };
}

interface Waiting {
  process: SimulatedProcess | undefined;
  signal: AbortSignal | undefined;
  resolve: (response: Response) => void;
  reject: (reason: unknown) => void;
}

/** The caller's side: it leaves when its signal aborts, and hears nothing while it is frozen or killed. */
function createCaller(clock: Clock, { process, signal, resolve, reject }: Waiting) {
  let isOver = false;
  const leave = (): void => {
    settle(() => {
      reject(signal?.reason);
    });
  };
  const settle = (act: () => void): void => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', leave);
    act();
  };
  const deliver = (act: () => void): void => {
    if (process === undefined) settle(act);
    else
      process.deliver(() => {
        settle(act);
      });
  };
  if (signal?.aborted === true) leave();
  else signal?.addEventListener('abort', leave, { once: true });
  const hear = (reply: Reply): void => {
    if (isOver) return;
    switch (reply.kind) {
      case 'answer':
        deliver(() => {
          resolve(toResponse(reply));
        });
        break;
      case 'broken':
        deliver(() => {
          reject(reply.error);
        });
        break;
      case 'hung':
        clock.after(NO_HEADERS_AFTER_MS, () => {
          hear(noHeaders());
        });
        break;
    }
  };
  return { hear };
}
