import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
import { QUOTA } from '../../support/webhooks/while-told.js';

const TARGET = { url: 'https://hooks.example.com/', secretName: 'ingest-sftp' };
const WEBHOOKS = {
  ...{
    hosts: ['hooks.example.com'],
    privateHosts: [],
    secretsFolder: resolve('test/support/secrets/named'),
    notify: {},
  },
  secrets: { 'ingest-sftp': ['hooks.example.com'] },
};

const toldBy = async (run: WorkflowHandle) => (await run.query(statusQuery)).webhooks?.told;

describe('a blocked run with receivers that somebody pauses', () => {
  it('tells that it goes on only when it does', () =>
    inScenario({ webhooks: WEBHOOKS, policy: { probeMs: 600_000 } }, async (scenario) => {
      const { start, simulator, mutations } = scenario;
      simulator.faults.add({ ...QUOTA, match: { ...QUOTA.match, times: 2 } });
      const run = await start('provisionInstance', { ...provisionInput(), notify: [TARGET] });
      await untilBlocked(run, 'QuotaExceeded');
      expect(await toldBy(run)).toBe(1);

      await run.executeUpdate(pauseUpdate);
      expect(await toldBy(run)).toBe(1);

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await until('it has tried again', () => mutations().length === 2);
      await untilBlocked(run, 'QuotaExceeded');
      expect(await toldBy(run)).toBe(1);

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();
      // That it goes on, and its end.
      expect(await toldBy(run)).toBe(3);
    }));
});
