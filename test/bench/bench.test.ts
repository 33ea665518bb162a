import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { defineBench, number, numbers } from '../../bench/bench.js';

const bench = defineBench({
  id: 'sizes',
  title: 'Sizes',
  summary: 'what it was given',
  minutes: 1,
  columns: [{ key: 'plan', title: 'plan' }],
  settings: z.strictObject({ runs: number(10), steps: numbers(1, 2) }),
  parts: { few: { runs: 5 }, many: { runs: 50 } },
  quick: { runs: 1 },
  measure: (plan, part) => Promise.resolve({ rows: [{ part, plan: JSON.stringify(plan) }] }),
});

describe('the plan of a bench', () => {
  it.each([
    ['the part', 'many', 'full', {}, { runs: 50, steps: [1, 2] }],
    ['size quick before the part', 'many', 'quick', {}, { runs: 1, steps: [1, 2] }],
    ['the caller before all', 'many', 'quick', { runs: '7', steps: '3' }, { runs: 7, steps: [3] }],
  ] as const)('is that of %s', async (...[, part, size, given, plan]) => {
    const { rows } = await bench.measure(part, size, given);

    expect(rows).toEqual([{ part, plan: JSON.stringify(plan) }]);
  });

  it.each([{ runs: 'many' }, { steps: '1,x' }, { other: '1' }])('refuses %j', async (given) => {
    await expect(bench.measure('few', 'full', given)).rejects.toThrow(z.ZodError);
  });
});
