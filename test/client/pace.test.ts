import { describe, expect, it } from '@jest/globals';

import { paceOf } from '../../src/client/pace.js';
import { Phase } from '../../src/engine/core/status.js';
import type { ItemsStatus } from '../../src/engine/schema/status-document.js';

const BEGAN = Date.parse('2026-05-19T10:00:00Z');
const MINUTE_MS = 60_000;

function items(change: Partial<ItemsStatus>): ItemsStatus {
  const none = { succeeded: 0, failed: 0, pending: 0, untried: 0, warned: 0, byClass: {} };
  return { asked: 10, ...none, since: new Date(BEGAN).toISOString(), ...change };
}

function going(counts: ItemsStatus, phase: Phase = Phase.running) {
  return { items: counts, phase };
}

describe('the pace of the items of a run', () => {
  it('counts those that have ended, and says when all will have at that pace', () => {
    const pace = paceOf(going(items({ succeeded: 3, failed: 1 })), BEGAN + 2 * MINUTE_MS);

    expect(pace).toEqual({ perMinute: 2, leftMs: 3 * MINUTE_MS });
  });

  it.each([
    ['before the first has ended', items({}), 1],
    ['after the last one', items({ succeeded: 10 }), 1],
    ['without a beginning', { ...items({ succeeded: 1 }), since: undefined }, 1],
    ['before it has begun, by the clock of the reader', items({ succeeded: 1 }), -1],
  ])('is unknown %s', (_, counts, minutes) => {
    expect(paceOf(going(counts), BEGAN + minutes * MINUTE_MS)).toBeUndefined();
  });

  it.each([Phase.blocked, Phase.paused, Phase.rollingBack, Phase.failed])(
    'is unknown while the run is %s',
    (phase) => {
      const now = BEGAN + 2 * MINUTE_MS;

      expect(paceOf(going(items({ succeeded: 3 }), phase), now)).toBeUndefined();
    },
  );
});
