import { describe, expect, it } from '@jest/globals';

import { statusDocumentSchema } from '../../../src/contract/documents.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { toMarkdown } from '../../../src/engine/run/publish.js';

const DOCUMENT: StatusDocument = {
  version: 1,
  operation: 'provisionInstance',
  phase: 'running',
  steps: [
    {
      name: 'create instance',
      state: 'verified',
      taskIds: ['t-1'],
      resources: [
        { kind: 'instance', id: 'i-1' },
        { kind: 'volume', id: 'v-1' },
      ],
      note: 'its answer was lost',
    },
    { name: 'verify instance', state: 'planned', taskIds: [], resources: [] },
  ],
};

describe('toMarkdown', () => {
  it('shows the phase and one row per step', () => {
    const text = toMarkdown(DOCUMENT);

    expect(text.split('\n')).toEqual([
      '**running**',
      '',
      '| step | state | known |',
      '| --- | --- | --- |',
      '| create instance | verified | instance `i-1`, volume `v-1`, task `t-1`, its answer was lost |',
      '| verify instance | planned |  |',
    ]);
  });

  it('keeps a note in its cell, whatever it contains', () => {
    const step = { name: 'a', state: 'failed', taskIds: [], resources: [], note: 'a | b\n  c' };

    const text = toMarkdown(statusDocumentSchema.parse({ ...DOCUMENT, steps: [step] }));

    expect(text.split('\n').at(-1)).toBe('| a | failed | a \\| b c |');
  });

  it('says when a wait ends at the latest', () => {
    const waiting = { for: 'a trace', since: '05:07:31', endsBy: '05:09:31' };

    const text = toMarkdown({ ...DOCUMENT, phase: 'waiting', waiting });

    expect(text).toContain('\n\nWaiting for a trace since 05:07:31; ends by 05:09:31.');
  });

  it('says what the run waits for, what is usual and when it looks again', () => {
    const text = toMarkdown({
      ...DOCUMENT,
      phase: 'waiting',
      waiting: {
        for: 'task t-1',
        state: 'RUNNING',
        since: '05:07:31',
        typicalSeconds: 30,
        nextCheckAt: '05:07:46',
      },
    });

    expect(text).toContain(
      '\n\nWaiting for task t-1 (RUNNING) since 05:07:31, usually done in 30 s; next look at 05:07:46.',
    );
  });

  it('leaves out unknown facts of a wait', () => {
    const text = toMarkdown({ ...DOCUMENT, waiting: { for: 'task t-1', since: '05:07:31' } });

    expect(text).toMatch(/\n\nWaiting for task t-1 since 05:07:31\.$/);
  });

  it('says why a run is blocked and what to do', () => {
    const text = toMarkdown({
      ...DOCUMENT,
      phase: 'blocked',
      blocked: {
        type: 'QuotaExceeded',
        message: 'The quota is used up.',
        advice: 'Ask for more.',
        since: '05:07:31',
      },
    });

    expect(text).toMatch(
      /\n\nBlocked \(QuotaExceeded\) since 05:07:31\. The quota is used up\. Ask for more\.$/,
    );
  });

  it('says who asked last, as code, which becomes no link', () => {
    const at = '2026-05-01T00:00:00.000Z';
    const asked = [
      { for: 'start' as const, by: 'billing', at },
      { for: 'pause' as const, by: 'https://evil.test', at },
    ];

    const text = toMarkdown({ ...DOCUMENT, asked });

    expect(text).toContain(`Last asked: pause, by \`https://evil.test\`, at ${at}.`);
    expect(text).not.toContain('billing');
  });

  it('names the newest webhooks that were given up, and those that are on their way', () => {
    const at = '2026-05-01T00:00:00.000Z';
    const given = (sequence: number) => ({
      id: `msg_${sequence}`,
      type: 'run.blocked' as const,
      sequence,
      host: 'hooks.example.test',
      at,
      reason: 'hooks.example.test answered 503.',
    });
    const pending = [{ host: 'a.example.test', events: 2, since: at }];
    const webhooks = { told: 6, undelivered: [1, 2, 3, 4].map(given), pending };

    const lines = toMarkdown({ ...DOCUMENT, webhooks }).split('\n');

    expect(lines.filter((line) => line.includes('ebhook'))).toEqual([
      '1 other webhook given up before.',
      ...[2, 3, 4].map(
        (sequence) =>
          `Webhook ${sequence} (run.blocked) to hooks.example.test was given up at ${at}. hooks.example.test answered 503.`,
      ),
      `2 webhooks to a.example.test not delivered yet, since ${at}.`,
    ]);
  });
});
