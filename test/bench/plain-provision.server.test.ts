import { beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime } from '@temporalio/worker';

import type { Bundles } from '../../bench/figures/cpu-live.js';
import { bundleContenders, measureCpu } from '../../bench/figures/cpu.js';

const address = process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';

let bundles: Bundles;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  bundles = await bundleContenders();
});

describe('the yardstick of CPU', () => {
  it.each([
    { watcher: true, looks: 1 },
    { watcher: false, looks: 3 },
  ])('sends the same commands as provisionInstance: %j', async (shape) => {
    const { events, historyBytes, comparisons } = await measureCpu({
      address,
      bundles,
      shape,
      pairs: 1,
      runs: 1,
      replays: 1,
    });

    expect(events.plainProvision).toEqual(events.provisionInstance);
    const share = historyBytes.plainProvision / historyBytes.provisionInstance;
    expect(share).toBeGreaterThan(0.97);
    expect(share).toBeLessThan(1.03);
    for (const { ours, plain } of comparisons.filter(({ ours }) => !Number.isNaN(ours))) {
      expect(ours).toBeGreaterThan(0);
      expect(plain).toBeGreaterThan(0);
    }
  });
});
