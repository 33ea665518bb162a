import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { inScenario } from '../../simulation/scenario.js';
import { at, gatewayOf } from '../../support/gateway/gateway-world.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';

/** The hidden fields of a form, as a browser sends them. */
function hiddenFields(page: string): URLSearchParams {
  const fields = page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
  return new URLSearchParams(
    [...fields].map(([, name = '', value = '']): [string, string] => [name, value]),
  );
}

describe('what a person has confirmed on the page of a run', () => {
  it('reaches no later run of the same request', () =>
    inScenario({}, async (scenario) => {
      const { start, client, simulator } = scenario;
      const release = holdTaskReads(simulator);
      const shown = await start('provisionInstance', provisionInput(), 'order-1');
      const app = gatewayOf(scenario);
      const path = at(`/runs/${encodeURIComponent(shown.workflowId)}/abort`);
      const confirm = await app.request(path);
      const body = hiddenFields(await confirm.text());
      await client.workflow.getHandle(shown.workflowId).terminate();
      const later = await start('provisionInstance', provisionInput(), 'order-1');

      const answer = await app.request(path, { method: 'POST', body });

      expect([confirm.status, answer.status]).toEqual([200, 409]);
      expect((await later.query(statusQuery)).asked ?? []).toEqual([]);
      release();
      await later.result();
    }));

  it('is refused when the form names no run that could be one', () =>
    inScenario({}, async (scenario) => {
      const { start, simulator } = scenario;
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput(), 'order-1');
      const app = gatewayOf(scenario);
      const path = at(`/runs/${encodeURIComponent(run.workflowId)}/abort`);
      const body = hiddenFields(await (await app.request(path)).text());
      body.set('run', 'x');

      const answer = await app.request(path, { method: 'POST', body });

      expect(answer.status).toBe(400);
      expect((await run.query(statusQuery)).asked ?? []).toEqual([]);
      release();
      await run.result();
    }));
});
