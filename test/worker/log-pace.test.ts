import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';

import { createRequestBudget } from '../../src/engine/http/request-budget.js';
import { createPaceLog } from '../../src/worker/log-pace.js';

describe('the log of a worker whose API allows fewer requests', () => {
  it('has one line for each change of order, not one line for each request', async () => {
    const entries: LogEntry[] = [];
    const logger = new DefaultLogger('DEBUG', (entry) => entries.push(entry));
    const onPace = createPaceLog({ name: 'blue' }, logger);
    const budget = createRequestBudget({ perSecond: 400, onPace });
    const { signal: cancelled } = new AbortController();

    for (let sent = 0; sent < 120; sent++) {
      const permit = await budget.take({ cancelled });
      if ('answered' in permit) permit.answered({ status: sent < 4 ? 429 : 200 });
    }

    const lines = entries.map(({ level, message, meta }) => ({ level, message, ...meta }));
    const throttled = {
      level: 'WARN',
      message: 'The API rate-limits the account; calls wait',
      account: 'blue',
      since: expect.stringMatching(/Z$/),
    };
    expect(lines.slice(0, 2)).toEqual([
      { ...throttled, perSecond: 200 },
      { ...throttled, perSecond: 50 },
    ]);
    expect(lines.at(-1)).toEqual({
      ...throttled,
      level: 'INFO',
      message: 'The API accepts the calls of the account again',
      perSecond: 400,
    });
    expect(lines.length).toBeLessThan(6);
  });
});
