import { describe, expect, it } from '@jest/globals';

import { askStatus } from '../../../src/cli/watch/ask-status.js';

const hint = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;
const io = { clock: { delay: () => new Promise<void>(() => undefined) } };

describe('the status of a run whose workflow task fails', () => {
  it('is no unexpected error: it says where the cause is', async () => {
    const details = 'Unable to query workflow due to Workflow Task in failed state.';
    const refused = Object.assign(new Error(details), { code: 9, details, metadata: {} });

    const asked = askStatus({ io, hint }, { status: () => Promise.reject(refused) }, 'r-1');

    await expect(asked).rejects.toMatchObject({
      problem: {
        type: 'NoAnswer',
        message: expect.stringContaining('No worker can continue the run now'),
        advice: 'see why: gcore-workflows explain r-1',
      },
    });
  });
});
