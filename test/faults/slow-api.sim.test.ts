import { describe, expect, it } from '@jest/globals';

import type { Operation } from '../../src/contract/wire/names.js';
import { OPERATION_CASES } from '../support/operations/index.js';
import { inScenario } from '../simulation/scenario.js';
/** What the worker is configured for. */
const REQUESTS_PER_SECOND = 10;
/** On an idle machine each of these runs takes less than a minute. */
const ENDED_WITHIN_MS = 150_000;

describe('an API that allows fewer requests than the request budget', () => {
  it.concurrent.each<[Operation, number, boolean]>([
    ['protectIp', 1, true],
    ['protectIp', 1, false],
    ['importVideos', 1, true],
    ['provisionInstance', 1, true],
    ['modifyKvStore', 2, false],
  ])(
    'lets %s end at %d a second (Retry-After: %s)',
    async (operation, perSecond, retryAfter) => {
      const plain = OPERATION_CASES.find((each) => each.operation === operation);
      if (plain === undefined) throw new Error('no case');
      await inScenario(
        {
          speed: 10,
          realPolls: true,
          requestsPerSecond: REQUESTS_PER_SECOND,
          timeoutMs: 15_000,
          ...(plain.state && { state: plain.state }),
        },
        async ({ simulator, start }) => {
          simulator.faults.add({
            match: {},
            action: { kind: 'rate-limit', perSecond, retryAfter },
          });

          const run = await start(operation, plain.input('slow-1'));
          const result = await run.result();

          expect(result).toBeDefined();
          expect(simulator.mutations().length).toBeGreaterThan(0);
        },
      );
    },
    ENDED_WITHIN_MS,
  );
});

describe('a request budget of one request in two seconds', () => {
  it(
    'lets a run end',
    async () => {
      const simple = OPERATION_CASES.find(({ operation }) => operation === 'listSshKeys');
      if (simple === undefined) throw new Error('no case');
      await inScenario(
        { requestsPerSecond: 0.5, ...(simple.state && { state: simple.state }) },
        async ({ simulator, start }) => {
          const run = await start('listSshKeys', {});
          await run.result();

          const times = simulator.requests.map(({ at }) => at);
          // The first goes at once, the others follow two seconds apart.
          const leastMs = (times.length - 1) * 2_000 - 500;
          expect(times.length).toBeGreaterThan(1);
          expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(leastMs);
        },
      );
    },
    ENDED_WITHIN_MS,
  );
});
