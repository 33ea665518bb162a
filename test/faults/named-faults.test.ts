import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { DOCTOR_FAULTS } from './named/doctor-faults.js';
import { EXPLAIN_FAULTS } from './named/explain-faults.js';

const FAULTS = [...Object.values(DOCTOR_FAULTS), ...Object.values(EXPLAIN_FAULTS)];

const PAGE = readFileSync('docs/operate.md', 'utf8');
const [, SECTION = ''] = /^## What doctor and explain name\n(.*?)^## /ms.exec(PAGE) ?? [];

describe('docs/operate.md', () => {
  it('lists each fault that doctor and explain name, with the cure', () => {
    const [, , ...rows] = SECTION.split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );

    expect(rows).toEqual(
      FAULTS.map(({ fault, askedOf, listed }) => [fault, `\`${askedOf}\``, listed]),
    );
  });

  it('does not list a fault twice', () => {
    const rows = FAULTS.map(({ fault, askedOf }) => `${askedOf}: ${fault}`);

    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(20);
  });
});
