import { describe, expect, it } from '@jest/globals';

import { withWebhooks } from '../../../src/client/explain/explain-run.js';
import type { WebhooksStatus } from '../../../src/engine/schema/status-document.js';
import { at, factsOf } from './run-facts.js';

const NARRATIVE = { sentences: ['It succeeded'], next: 'nothing to do' };
const GONE: NonNullable<WebhooksStatus['undelivered']>[number] = {
  id: 'msg_1',
  type: 'run.blocked',
  sequence: 1,
  host: 'hooks.example.com',
  at: at(30),
  reason: 'hooks.example.com answered 410: it wants no more webhooks.',
};

function told(webhooks: WebhooksStatus) {
  return withWebhooks(
    NARRATIVE,
    factsOf({
      status: {
        version: 1,
        operation: 'provisionInstance',
        phase: 'succeeded',
        steps: [],
        webhooks,
      },
    }),
  );
}

describe('the explanation of a run whose webhooks', () => {
  it('arrive, says nothing of them', () => {
    expect(told({ told: 2 })).toBe(NARRATIVE);
  });

  it('wait for their receivers, names each receiver and since when', () => {
    const pending = [
      { host: 'a.example.com', events: 1, since: at(2) },
      { host: 'b.example.com', events: 2, since: at(12) },
    ];

    const { sentences, next } = told({ told: 2, pending });

    expect(sentences.slice(1)).toEqual([
      'The receiver of webhooks at a.example.com has not taken 1 event since 2026-05-04T03:02:02Z (40 s ago); it is sent again for a day',
      'The receiver of webhooks at b.example.com has not taken 2 events since 2026-05-04T03:02:12Z (30 s ago); they are sent again for a day',
      '',
    ]);
    expect(next).toBe(
      'nothing to do; and mend the receiver of webhooks at a.example.com and b.example.com (docs/operate/webhook-receiver-down.md)',
    );
  });

  it('were given up, says how many, and why the last one was', () => {
    const { sentences } = told({ told: 2, undelivered: [{ ...GONE, id: 'msg_0' }, GONE] });

    expect(sentences.at(-1)).toBe(
      '2 webhooks will not be delivered any more; the last one is run.blocked for hooks.example.com: hooks.example.com answered 410: it wants no more webhooks.',
    );
  });
});
