import { describe, expect, it } from '@jest/globals';

import { batchUnderKills } from '../support/runs/batch-under-kills.js';
import { importUnderKills } from '../support/runs/import-under-kills.js';
import { pushUnderKills } from '../support/runs/push-under-kills.js';

describe('bulk work whose worker is killed', () => {
  it('creates no video twice, loses none, and reports each failure', async () => {
    const figures = await importUnderKills({ videos: 3_000, kills: 2, failing: 0.05 });

    expect(figures).toMatchObject({
      kills: 2,
      duplicates: 0,
      missing: 0,
      wrong: 0,
      unclassified: 0,
      counts: { asked: 3_000, pending: 0, untried: 0 },
    });
    expect(figures.counts.failed).toBeGreaterThan(60);
    // The run makes one lookup before its first batch, and each kill may cost a few more.
    expect(figures.requests).toBeLessThanOrEqual(figures.minimum + 1 + 2 * 6);
  });

  it('leaves exactly the requested content in a store', async () => {
    const figures = await pushUnderKills({ items: 3_000, kills: 1 });

    expect(figures).toMatchObject({ wrong: 0, keys: 3_000, verified: 3_000, kills: 1 });
  });

  it('makes one instance for each item of a batch, and its report is the inventory', async () => {
    const figures = await batchUnderKills({ items: 30, kills: 1, refusedEach: 10, atOnce: 15 });

    expect(figures).toMatchObject({ kills: 1, twice: 0, lost: 0, wrong: 0 });
    expect(figures.counts).toMatchObject({ asked: 30, succeeded: 27, failed: 3, pending: 0 });
  });
});
