import { resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { emptyFolder, runIn } from '../../support/packaging/run-in.js';

const comparedSchema = z.object({
  plain: z.array(z.string()),
  provisionInstance: z.array(z.string()),
});

/** With a Temporal server of its own, as somebody who tries it has it. */
async function runDemo(...options: string[]) {
  const program = [resolve('dist/cli/main.js'), 'demo', ...options];
  const own = ['-u', 'TEMPORAL_ADDRESS', process.execPath];
  return runIn(await emptyFolder(), 'env', [...own, ...program]);
}

describe('demo', () => {
  it('--compare shows two machines by a client that sends again, and one by a run', async () => {
    const { code, stdout, stderr } = await runDemo('--compare', '--output', 'json');
    const { plain, provisionInstance } = comparedSchema.parse(JSON.parse(stdout));

    expect([code, plain.length, provisionInstance.length]).toEqual([0, 2, 1]);
    expect(new Set([...plain, ...provisionInstance]).size).toBe(3);
    expect(stderr).toContain('the connection broke: sending it again');
  });

  it('--lose-answer ends with one machine all the same', async () => {
    const { code, stdout, stderr } = await runDemo('--lose-answer');

    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ status: 'ACTIVE' })]);
    expect(stderr).toContain('The answer to the create was lost. There exist: 1 instance (');
  });
});
