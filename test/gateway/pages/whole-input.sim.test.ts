import { describe, expect, it } from '@jest/globals';

import type { AuditEntry, GatewayApp } from '../../../src/gateway/gateway-context.js';
import { pathOfPage } from '../../../src/gateway/pages/page-actions.js';
import { inScenario } from '../../simulation/scenario.js';
import { at, gatewayOf, tokensOf } from '../../support/gateway/gateway-world.js';
import { provisionInput } from '../../support/inputs/provision-input.js';

const PASSWORD = 'Clear-Text-7!';
const RECEIVER = 'https://chat.example.test/services/T0/canary-of-a-room';

const TOKENS = tokensOf({
  reading: { name: 'rita', scopes: ['read'] },
  operating: { name: 'ole', scopes: ['read', 'operate'] },
});

/** A reader who has signed in with this token. */
async function sessionOf(app: GatewayApp, token: string): Promise<RequestInit> {
  const answer = await app.request(at('/sign-in'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://localhost' },
    body: new URLSearchParams({ token, to: '/runs' }).toString(),
  });
  return { headers: { Cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' } };
}

describe('an input on the pages of a gateway', () => {
  it('is whole for who may operate the run and asks for it, and the audit log says who did', () =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      const entries: AuditEntry[] = [];
      const app = gatewayOf(scenario, { tokens: TOKENS, audit: (entry) => entries.push(entry) });
      const { instance, ...rest } = provisionInput();
      const run = await scenario.start('provisionInstance', {
        ...rest,
        instance: { ...instance, username: 'admin', password: PASSWORD },
        notify: [{ url: RECEIVER, secretName: 'orders' }],
      });
      await run.result().catch(() => undefined);
      const path = pathOfPage(run.workflowId);
      const [rita, ole] = [await sessionOf(app, 'reading'), await sessionOf(app, 'operating')];
      const get = async (of: RequestInit, query: string) => {
        const answer = await app.request(at(`${path}${query}`), of);
        return [answer.status, await answer.text()] as const;
      };

      const masked = [
        await get(rita, ''),
        await get(rita, '/input.json'),
        await get(rita, '?whole=true'),
        await get(rita, '/input.json?whole=true'),
        await get(ole, ''),
        await get(ole, '/input.json'),
        await get(ole, '/input.json?whole=1'),
      ];
      const whole = [await get(ole, '?whole=true'), await get(ole, '/input.json?whole=true')];

      expect(masked.map(([status]) => status)).toEqual([200, 200, 403, 403, 200, 200, 400]);
      for (const [, text] of masked) expect(text).not.toMatch(/Clear-Text|canary-of-a-room/);
      for (const [status, text] of whole) {
        expect([status, text]).toEqual([
          200,
          expect.stringMatching(/Clear-Text[^]*canary-of-a-room/),
        ]);
      }
      const [ofRita = [], , , , ofOle = []] = masked;
      expect(String(ofRita[1])).not.toContain('Show all of it');
      expect(String(ofOle[1])).toContain('Show all of it');
      expect(entries.filter(({ action }) => action === 'whole-input')).toEqual(
        [
          ['rita', 'Forbidden'],
          ['rita', 'Forbidden'],
          ['ole', 'done'],
          ['ole', 'done'],
        ].map(([caller, outcome]) =>
          expect.objectContaining({ caller, outcome, workflowId: run.workflowId }),
        ),
      );
    }));
});
