import { describe, expect, it } from '@jest/globals';

import { jsonByteLength } from '../../../src/engine/core/text.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario } from '../../simulation/scenario.js';
const MAX_BYTES = 65_536;

describe('a run that makes a hundred resources', () => {
  it('ends, and its status, its result and its search attributes stay small', () =>
    inScenario({ speed: 20 }, async ({ start, simulator }) => {
      const boot = provisionInput().instance.volumes;
      const extra = Array.from({ length: 99 }, (_, index) => ({
        source: 'new-volume' as const,
        size: 1,
        name: `disk-${index}`,
      }));
      const run = await start(
        'provisionInstance',
        provisionInput({ volumes: [...boot, ...extra] }),
      );

      const result = await run.result();

      expect(jsonByteLength(result)).toBeLessThan(MAX_BYTES);
      expect(jsonByteLength(await run.query(statusQuery))).toBeLessThan(MAX_BYTES);
      expect(simulator.inventory().volumes).toHaveLength(100);
    }));
});
