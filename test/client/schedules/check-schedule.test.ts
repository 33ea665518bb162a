import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { InvalidInputError } from '../../../src/client/index.js';
import { checkSchedule } from '../../../src/client/schedules/check-schedule.js';
import { catchUpText, overlapOf } from '../../../src/client/schedules/schedule-policies.js';

const KV = { storeId: 17, manifest: { url: 'file:nightly.jsonl' } };

function faultsOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.faults.map(({ path }) => path);
  }
}

describe('a schedule', () => {
  it('has the id, the urgency and the defaults of its runs', () => {
    const input = { ...KV, account: 'blue' };

    expect(
      checkSchedule('modifyKvStore', { scheduleId: 'nightly', input, at: '04:30' }),
    ).toMatchObject({
      workflowId: 'modify-kv-store/blue/nightly',
      overlap: 'skip',
      catchUpMs: 86_400_000,
      priorityKey: 3,
      paused: false,
    });
  });

  it('is refused with every fault of itself and of its input at once', () => {
    const request: object = { overlap: 'terminate', catchUp: '1s', urgency: 'high', at: '25:00' };

    const paths = faultsOf(() =>
      checkSchedule('modifyKvStore', { ...request, scheduleId: 'a b', input: { storeId: 0 } }),
    );

    expect(paths).toEqual([
      ...['scheduleId', 'at', 'overlap', 'catchUp', 'urgency'],
      ...['storeId', 'items'],
    ]);
  });

  it('takes no plan and nothing that a history cannot hold', () => {
    const plan = { ...KV, planOnly: true };
    const large = { storeId: 1, manifest: { url: `file:${'x'.repeat(2_100_000)}` } };

    expect(
      [plan, large].map((input) =>
        faultsOf(() => checkSchedule('modifyKvStore', { scheduleId: 'x', every: '6h', input })),
      ),
    ).toEqual([['planOnly'], ['(input)']]);
  });

  it('takes no list that will be gone when a run needs it', () => {
    const input = { storeId: 1, manifest: { url: `upload:${'0'.repeat(64)}` } };

    expect(
      faultsOf(() => checkSchedule('modifyKvStore', { scheduleId: 'x', every: '6h', input })),
    ).toEqual(['manifest.url']);
  });

  it('takes none for an item of a batch either', () => {
    const manifest = { url: `upload:default/${'0'.repeat(64)}` };
    const operation = 'modifyKvStore';
    const items = [
      { storeId: 1, manifest: KV.manifest },
      { storeId: 2, manifest },
    ];
    const inputs = [
      { operation, manifest },
      { operation, items },
      { operation, items: [{ storeId: 1 }], defaults: { manifest } },
    ] as const;

    expect(
      inputs.map((input) =>
        faultsOf(() => checkSchedule('runBatch', { scheduleId: 'x', every: '6h', input })),
      ),
    ).toEqual([['manifest.url'], ['items[1].manifest.url'], ['defaults.manifest.url']]);
  });

  it('takes the input of the documentation', () => {
    const input: unknown = JSON.parse(readFileSync('examples/kv-refresh.json', 'utf8'));
    const request = { scheduleId: 'nightly-kv', input, at: '04:30', zone: 'Europe/Berlin' };

    expect(checkSchedule('modifyKvStore', request).input).toEqual(input);
  });

  it('that catches nothing up has the shortest time that the server knows', () => {
    const request = { scheduleId: 'x', every: '6h', input: KV, catchUp: 'none' };

    const { catchUpMs } = checkSchedule('modifyKvStore', request);

    expect([catchUpMs, catchUpText(catchUpMs), catchUpText(86_400_000)]).toEqual([
      10_000,
      'none',
      '1 day',
    ]);
  });

  it('of another tool may have a rule without a name here', () => {
    expect([overlapOf('BUFFER_ONE'), overlapOf('TERMINATE_OTHER')]).toEqual(['wait', undefined]);
  });
});
