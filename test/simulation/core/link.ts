import { outsideProcesses, type SimulatedProcess } from '../time/processes.js';
import { pass, type Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import type { RpcCall, SimulatedServer } from '../temporal/create-server.js';

export type { RpcCall } from '../temporal/create-server.js';

/** Between a process and the Temporal server. Every call, polls included, goes through it. */
export interface Link {
  call(call: RpcCall, from: SimulatedProcess | undefined): Promise<object>;
}

/** Milliseconds that a call is on its way, in each direction. */
const LEAST_MS = 1;
const MOST_MS = 5;

/** A way without any trouble. */
export function createLink(server: Pick<SimulatedServer, 'call'>, clock: Clock, draw: Draw): Link {
  const travel = (): Promise<void> =>
    pass(clock, LEAST_MS + draw.fraction() * (MOST_MS - LEAST_MS));
  const carry = async (call: RpcCall): Promise<object> => {
    await travel();
    const answer = await server.call(call).catch(async (error: unknown) => {
      await travel();
      throw error;
    });
    await travel();
    return answer;
  };
  return { call: (call, from) => deliveredTo(from, () => carry(call)) };
}

/** Carries a call outside of all processes, and brings what comes of it to the one that has made it. */
export function deliveredTo(
  from: SimulatedProcess | undefined,
  carry: () => Promise<object>,
): Promise<object> {
  const deliver = (act: () => void): void => {
    if (from === undefined) act();
    else from.deliver(act);
  };
  return new Promise((resolve, reject) => {
    outsideProcesses(carry).then(
      (answer) => {
        deliver(() => {
          resolve(answer);
        });
      },
      (error: unknown) => {
        deliver(() => {
          reject(error instanceof Error ? error : new Error(String(error)));
        });
      },
    );
  });
}
