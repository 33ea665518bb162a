import { describe, expect, it } from '@jest/globals';

import type { RunFilter } from '../../../src/client/index.js';
import { createAccountHints } from '../../../src/gateway/hooks/video-hints.js';
import { until } from '../../support/timing/until.js';

const LIST_EVERY_MS = 100;

/** A server that has no open import. Says when it was asked, and for which account. */
function emptyServer() {
  const asked: { account: string; at: number }[] = [];
  const list = (filter?: number | RunFilter) => {
    const account = typeof filter === 'object' ? String(filter.account) : '';
    asked.push({ account, at: performance.now() });
    return Promise.resolve([]);
  };
  const gcore = { list, hintVideos: () => Promise.resolve() };
  return { asked, gcore };
}

function hintsOf(
  { gcore }: Pick<ReturnType<typeof emptyServer>, 'gcore'>,
  listEveryMs = LIST_EVERY_MS,
) {
  const closing = new AbortController().signal;
  return createAccountHints({ gcore, closing, gatherMs: 1, listEveryMs });
}

describe('hooks of many accounts', () => {
  it('cost the Temporal server one list at a time, whatever names they have', async () => {
    const server = emptyServer();
    const hints = hintsOf(server);

    for (let at = 0; at < 5; at++) hints.add(`account-${at}`, 7);
    await until('all were asked about', () => server.asked.length === 5);

    // One that a busy machine holds up is nearer to the next one, but all of them take their time.
    const [first = 0, ...later] = server.asked.map(({ at }) => at);
    expect(Math.max(...later) - first).toBeGreaterThan(4 * LIST_EVERY_MS * 0.8);
  });

  it('leave no account deaf', async () => {
    const server = emptyServer();
    const hints = hintsOf(server, 5);
    for (let at = 0; at < 300; at++) hints.add(`invented-${at}`, 7);

    hints.add('real', 8);

    await until('the real one was asked about', () =>
      server.asked.some(({ account }) => account === 'real'),
    );
  });
});
