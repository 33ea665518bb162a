import { describe, expect, it } from '@jest/globals';
import { html } from 'hono/html';

import type { StatusDocument, Waiting } from '../../../src/engine/schema/status-document.js';
import { Notices } from '../../../src/gateway/pages/run-notices.js';

const NOW = Date.parse('2026-05-23T05:08:00.000Z');

const pageOf = (waiting: Waiting) => textOf({ phase: 'waiting', waiting });

async function textOf(situation: Pick<StatusDocument, 'phase' | 'waiting' | 'blocked'>) {
  const status: StatusDocument = {
    ...{ version: 1, operation: 'provisionInstance', steps: [] },
    ...situation,
  };
  const page = await html`${Notices({ status, now: NOW })}`;
  return page.replaceAll(/<[^>]+>/g, '');
}

describe('the notice of a wait', () => {
  const since = '2026-05-23T05:07:31.000Z';

  it('says when it ends at the latest', async () => {
    const endsBy = '2026-05-23T05:09:18.000Z';

    expect(await pageOf({ for: 'a trace of the call', since, endsBy })).toContain(
      'For 29 s. Ends in 1 min 18 s at the latest.',
    );
  });

  it('says what is usual where that is known', async () => {
    expect(await pageOf({ for: 'task t-1', since, typicalSeconds: 30 })).toContain(
      'usually within 30 s',
    );
  });
});

describe('the notice of a pause', () => {
  it('is there beside the block of the run', async () => {
    const text = await textOf({
      phase: 'paused',
      blocked: {
        ...{ type: 'QuotaExceeded', message: 'No room.', advice: 'Ask for more.' },
        since: '2026-05-23T05:07:31.000Z',
      },
    });

    expect(text).toContain('PausedNothing new is sent.');
    expect(text).toContain('Blocked: QuotaExceeded');
    expect(text).not.toContain('by itself');
  });
});
