import { describe, expect, it } from '@jest/globals';

import type { AuditEntry } from '../../src/gateway/gateway-context.js';
import { at, gatewayOf, post, tokensOf } from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';
describe('the audit log of a gateway', () => {
  it('names who started, read and asked what of which run, also what was refused', () =>
    inScenario({}, async (scenario) => {
      const { account } = scenario;
      const entries: AuditEntry[] = [];
      const app = gatewayOf(scenario, {
        tokens: tokensOf({
          'the-token': { name: 'ada', scopes: ['read', 'run', 'operate', 'metrics'] },
        }),
        audit: (entry) => entries.push(entry),
      });
      const headers = { Authorization: 'Bearer the-token' };
      const start = post({ account }, { ...headers, 'Idempotency-Key': 'canary' });
      const started = await app.request(at('/v1/runs/listSshKeys'), start);
      const path = at(started.headers.get('location') ?? '');
      const { requestId } = { requestId: started.headers.get('x-request-id') };

      await app.request(path, { headers });
      await app.request(`${path}/result?wait=50s`, { headers });
      await app.request(`${path}/abort`, { ...post({ reason: 'canary-reason' }, headers) });
      await app.request(`${path}/abort`, post({}));

      const workflowId = `list-ssh-keys/${account}/canary`;
      const by = { caller: 'ada', workflowId, from: 'none' };
      expect(entries).toEqual([
        { ...by, requestId, action: 'start', outcome: 'done' },
        { ...by, requestId: expect.any(String), action: 'result', outcome: 'done' },
        { ...by, requestId: expect.any(String), action: 'abort', outcome: 'RunEnded' },
      ]);
      expect(JSON.stringify(entries)).not.toMatch(/canary-reason|the-token/);
      const metrics = await (await app.request(at('/metrics'), { headers })).text();
      expect(metrics).toContain('gcore_gateway_audited_total{action="abort",outcome="RunEnded"} 1');
    }));
});
