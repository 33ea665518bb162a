import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { runSeed } from './run-seed.js';
import { createGuide, emptyResult, shrunkStory, trySeed } from './search.js';
import type { Focus } from './swarm.js';

/** How many seeds a worker without a grace time may be clean in. */
const SEEDS = 150;
const HASTY: Focus = {
  plain: true,
  operations: ['provisionInstance'],
  kinds: ['late call', 'lost answer', 'lagging list'],
  settings: { reconcileGraceMs: 1 },
};

const NEW = undefined;

describe('the search', () => {
  it('finds that a run without a grace time makes two machines, and shows it with few strikes', async () => {
    const result = emptyResult();
    for (let seed = 1; seed <= SEEDS && result.bad.length === 0; seed += 1) {
      await trySeed(result, seed, HASTY);
    }

    const [bad] = result.bad;
    if (bad === undefined) throw new Error(`clean after ${SEEDS} seeds`);
    const { findings, strikes, story } = await shrunkStory(bad, HASTY);
    expect(findings.map(({ invariant }) => invariant)).toContain('two alive');
    expect(strikes.filter(({ kind }) => kind !== 'caller').length).toBeLessThanOrEqual(2);
    expect(story.filter((line) => / POST .* 200/.test(line))).toHaveLength(2);
  });

  it('plays plans once more as long as they show more that is new than new ones do', () => {
    const plansFor = (news: readonly number[]): (number | undefined)[] => {
      const guide = createGuide({ plain: true });
      return news.map((count, seed) => {
        const focus = guide.focusOf();
        guide.learn(seed, focus, count);
        expect(focus.plain).toBe(true);
        return focus.planOf;
      });
    };

    // Every fourth seed tries the way that was worse.
    expect(plansFor([3, 9, 1, 0, 1, 1])).toEqual([NEW, NEW, NEW, 1, NEW, NEW]);
    expect(plansFor([3, 9, 1, 40, 5, 5])).toEqual([NEW, NEW, NEW, 1, 1, 1]);
    expect(plansFor([0, 0, 0, 0])).toEqual([NEW, NEW, NEW, NEW]);
  });

  it('plays the plan of another seed by its own chance', async () => {
    const own = await runSeed({ seed: 13 });
    const again = await runSeed({ seed: 14, focus: { planOf: 13 } });

    expect(again.requests).toEqual(own.requests);
    expect(again.strikes).not.toEqual(own.strikes);
    expect((await runSeed({ seed: 13, focus: { planOf: 13 } })).strikes).toEqual(own.strikes);
  });

  it('says the same of the same seed, whatever ran before', async () => {
    const first = await runSeed({ seed: 11, tells: true });
    await runSeed({ seed: 12 });

    expect(await runSeed({ seed: 11, tells: true })).toEqual(first);
  });

  it('says the same of ten seeds in two other processes, and under load', async () => {
    // The other tests are a load for both.
    const digests = await Promise.all([digest(), digest()]);

    expect(digests[0].trim().split('\n')).toHaveLength(10);
    expect(new Set(digests)).toEqual(new Set([digests[0]]));
  });
});

async function digest(): Promise<string> {
  const main = ['test/simulation/main.ts', '--digest', '--from', '21', '--seeds', '10'];
  const preload = ['--import', './test/support/jest/preload.js'];
  const { stdout } = await promisify(execFile)(process.execPath, [...preload, ...main]);
  return stdout;
}
