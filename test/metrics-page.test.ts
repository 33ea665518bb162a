import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import type { Metric } from '../src/engine/core/metrics.js';
import { GATEWAY_METRICS, WORKER_METRICS } from '../src/contract/metrics.js';
import { WORKFLOW_METRICS } from '../src/contract/wire/product.js';

/** As docs/metrics.md has it. */
function sectionOf(table: Record<string, Metric>): string {
  return Object.values(table)
    .map(({ name, kind, labels, help }) => {
      const named = labels.map((label) => `\`${label}\``).join(', ');
      const text = help.endsWith('.') ? help : `${help}.`;
      return `- \`${name}\` (${kind}${named === '' ? '' : `; ${named}`}): ${text}`;
    })
    .join('\n');
}

describe('docs/metrics.md', () => {
  const page = readFileSync('docs/metrics.md', 'utf8');

  it.each([
    ['worker', WORKER_METRICS],
    ['workflows', WORKFLOW_METRICS],
    ['gateway', GATEWAY_METRICS],
  ])('has the metrics of the %s as the code has them', (_, table) => {
    expect(page).toContain(`\n\n${sectionOf(table)}\n`);
  });
});
