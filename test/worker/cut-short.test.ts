import { describe, expect, it } from '@jest/globals';

import type { EarlierEnd } from '../../src/activities/index.js';
import { endsOrUnknown } from '../../src/worker/cut-short.js';

const ID = 'protect-ip/default/203.0.113.7';

type Answer = () => Promise<Map<string, number>>;

const away: Answer = () => Promise.reject(new Error('14 UNAVAILABLE: visibility store is down'));
const terminated: Answer = () => Promise.resolve(new Map([[ID, 1_001_000]]));

/** Asks a server whose visibility gives these answers, and then repeats the last one. */
async function ask(...answers: Answer[]): Promise<EarlierEnd> {
  const left = [...answers];
  const next = () => (left.length > 1 ? left.shift() : left[0])?.() ?? away();
  return (await endsOrUnknown([ID], next)).get(ID);
}

describe('the question whether a run before was cut short', () => {
  it('is asked again after a passing fault', async () => {
    expect(await ask(away, terminated)).toBe(1_001_000);
  });

  it('is answered without a time while visibility is away: no run waits for it', async () => {
    expect(await ask(away)).toBe('unknown');
  });
});
