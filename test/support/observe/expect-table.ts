import { expect } from '@jest/globals';

import type { Metric } from '../../../src/engine/core/metrics.js';
import type { Sample } from './scrape.js';

/** Every metric of the table is there, with just its labels and those of `more`. */
export function expectTable(
  samples: readonly Sample[],
  table: Record<string, Metric>,
  more: string[],
): void {
  for (const { name, kind, labels } of Object.values(table)) {
    const own = samples.filter(
      (sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name || sample.name === name,
    );
    const names = own
      .flatMap((sample) => Object.keys(sample.labels))
      .filter((label) => label !== 'le');
    const expected = own.length > 0 ? [...labels, ...more].sort() : 'the metric is missing';
    expect({ name, labels: [...new Set(names)].sort() }).toEqual({ name, labels: expected });
    expect(kind === 'counter').toBe(name.endsWith('_total'));
  }
}
