import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { keyReplacedSignal, resumeUpdate } from '../../../src/engine/core/messages.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { CREATE } from '../../support/worlds/simulated-cloud.js';
const LONGER_THAN_THE_TEST_MS = 3_600_000;
const NEVER_BY_ITSELF = {
  policy: { probeMs: LONGER_THAN_THE_TEST_MS },
  breakers: { keyProbeMs: 1 },
} as const;

async function countEvents(run: WorkflowHandle): Promise<number> {
  return (await run.describe()).historyLength;
}

describe('the news that the key of the account was replaced', () => {
  it('lets a run go on that is blocked because the API refused the key', () =>
    inScenario(NEVER_BY_ITSELF, async ({ start, simulator }) => {
      simulator.faults.add({ match: { times: Infinity }, action: { kind: 'status', status: 401 } });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'Unauthorized');
      simulator.faults.clear();

      await run.signal(keyReplacedSignal);
      const result = await run.result();

      expect(result.status).toBe('ACTIVE');
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it('counts also while the run tries with the key before', () => {
    const gate = createGate();
    let isHeld = false;
    let held = 0;
    const line: typeof globalThis.fetch = async (url, init) => {
      const answer = await globalThis.fetch(url, init);
      if (!isHeld) return answer;
      held += 1;
      await gate.opened;
      return answer;
    };
    return inScenario({ ...NEVER_BY_ITSELF, line }, async ({ start, simulator }) => {
      simulator.faults.add({ match: { times: Infinity }, action: { kind: 'status', status: 401 } });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'Unauthorized');
      isHeld = true;
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await until('the API has refused the key again', () => held > 0);
      isHeld = false;
      simulator.faults.clear();
      const signalledAt = Date.now();

      await run.signal(keyReplacedSignal);
      gate.open();
      await run.result();

      expect(Date.now() - signalledAt).toBeLessThan(LONGER_THAN_THE_TEST_MS / 4);
    });
  });

  it('says nothing to a run that is blocked for another reason, and may come twice', () =>
    inScenario(NEVER_BY_ITSELF, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE },
        action: {
          kind: 'status',
          status: 403,
          body: { exception_class: 'QuotaLimitExceed', message: 'Quota limit exceeded' },
        },
      });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'QuotaExceeded');
      const before = await countEvents(run);

      await run.signal(keyReplacedSignal);
      await run.signal(keyReplacedSignal);
      await until('both have arrived', async () => (await countEvents(run)) >= before + 5);
      await untilBlocked(run, 'QuotaExceeded');
      const meanwhile = mutations().length;
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      expect([meanwhile, mutations().length]).toEqual([1, 2]);
    }));
});
