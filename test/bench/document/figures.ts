import type { Conditions, Figure, FigurePart } from '../../../bench/document/figure.js';

export const CONDITIONS: Conditions = {
  date: '2026-05-04T03:02:01.000Z',
  commit: 'abc1234',
  node: 'v20.20.2',
  seconds: 7,
  cores: 2,
  cpu: 'a processor',
  memoryGib: 8,
  loadBefore: 0.1,
};

export const MEASURED: FigurePart = {
  name: 'small',
  measured: {
    rows: [
      { way: 'ours', runs: 10, requests: 2.5, late: 1.25 },
      { way: 'theirs', runs: 10, requests: 22, late: null },
    ],
    checks: [{ promise: 'Few requests', kept: true }],
    conditions: CONDITIONS,
  },
};

export const FAILED = {
  date: '2026-06-05T00:00:00.000Z',
  commit: 'def5678',
  reason: 'the server ended.',
};

/** A figure with two ways, and bars for each. */
export function figureWith(...parts: FigurePart[]): Figure {
  return {
    id: 'waiting',
    title: 'Runs that wait',
    about: 'Two ways.',
    command: 'npm run bench -- all --only waiting',
    columns: [
      { key: 'way', title: 'way' },
      { key: 'runs', title: 'runs' },
      { key: 'requests', title: 'requests' },
      { key: 'late', title: 'late', unit: 's' },
      { key: 'cpu', title: 'CPU', unit: 'ms' },
    ],
    chart: { kind: 'bar', x: 'runs', series: 'way', panels: [['requests'], ['late']] },
    parts,
  };
}
