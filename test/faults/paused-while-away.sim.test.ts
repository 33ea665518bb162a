import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { isChange, isMake } from '../../src/contract/operations/index.js';
import { Operation } from '../../src/contract/wire/names.js';
import type { Simulator } from '../../src/simulator/index.js';
import { OPERATION_CASES } from '../support/operations/index.js';
import type { OperationCase } from '../support/operations/tested-operation.js';
import { inScenario } from '../simulation/scenario.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import {
  pendingCallsOf,
  withSplitWorkers,
  type SplitWorkers,
} from '../support/workers/split-workers.js';
const REQUEST = 'request-7';

/** Of the operations that are one step, one of each kind. */
const STEPS: readonly Operation[] = [
  Operation.setInstancePower,
  Operation.removeProtection,
  Operation.createSshKey,
  Operation.snapshotVolume,
];
const CHANGING = OPERATION_CASES.filter(({ operation, changes }) => {
  const isStep = isChange(operation) || isMake(operation);
  return changes !== undefined && (!isStep || STEPS.includes(operation));
}).map((changing) => ({
  title: `${changing.operation} (${changing.where ?? 'a plain request'})`,
  changing,
}));

const readsOf = ({ requests }: Pick<Simulator, 'requests'>): number =>
  requests.filter(({ method }) => method === 'GET').length;

/** The number of reads that an undisturbed run of this request makes before its first change. */
async function readsBeforeChange(changing: OperationCase): Promise<number> {
  const { operation, input, state, readsInChange = 0 } = changing;
  let count = 0;
  await inScenario(
    { ...(state && { state }), watchWorker: false },
    async ({ start, simulator }) => {
      await (await start(operation, input(REQUEST))).result();
      const [first] = simulator.mutations();
      const before = simulator.requests.findIndex((request) => request === first);
      count = readsOf({ requests: simulator.requests.slice(0, before) }) - readsInChange;
    },
  );
  return count;
}

/** The workers go before the run begins: its first call is the change. */
async function withoutWorkers<R>({ calls }: SplitWorkers, begin: () => Promise<R>): Promise<R> {
  await calls.stop();
  return begin();
}

/** The workers go while they answer the last look before the change. */
async function leaveAtLook<R>(
  { simulator, calls }: SplitWorkers,
  reads: number,
  begin: () => Promise<R>,
): Promise<R> {
  const gate = createGate();
  simulator.faults.add({
    match: { method: 'GET', nth: reads },
    action: { kind: 'delay', afterProcessing: true, until: gate.opened },
  });
  const run = await begin();
  await until(
    'its last look is held',
    () => readsOf(simulator) === reads - 1 && simulator.inFlight().length === 1,
  );
  await calls.stop(gate.open);
  return run;
}

describe('a run that is paused while its first change waits for a worker', () => {
  it.each(CHANGING)(
    'changes nothing when the workers are back, and succeeds after resume: $title',
    async ({ changing }) => {
      const { operation, input, state } = changing;
      const reads = await readsBeforeChange(changing);
      await withSplitWorkers({ ...(state && { state }) }, async (split) => {
        const { calls } = split;
        const begin = () => split.start(operation, input(REQUEST));
        const run = await (reads === 0
          ? withoutWorkers(split, begin)
          : leaveAtLook(split, reads, begin));
        await until('its change waits', async () => {
          const pending = await pendingCallsOf(run);
          return pending.some(({ isTaken }) => !isTaken);
        });

        await run.executeUpdate(pauseUpdate);
        await calls.start();
        await until('no call waits', async () => (await pendingCallsOf(run)).length === 0);

        expect((await run.query(statusQuery)).phase).toBe('paused');
        expect(split.mutations()).toEqual([]);
        await run.executeUpdate(resumeUpdate, { args: [{}] });
        await run.result();
        expect(split.mutations()).not.toEqual([]);
      });
    },
  );
});
