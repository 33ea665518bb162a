import { describe, expect, it } from '@jest/globals';

import {
  currentFigure,
  isMeasured,
  withFailure,
  withMeasured,
  type Published,
} from '../../../bench/document/store.js';
import { CONDITIONS, FAILED, figureWith, MEASURED } from './figures.js';

const { about, chart, ...facts } = figureWith();
const bench: Published = {
  ...facts,
  page: { about, chart },
  parts: ['small', 'large'],
  settings: {},
  summary: 'two ways',
  minutes: 1,
  measure: () => Promise.resolve({ rows: [] }),
};
const NEW = { rows: [{ way: 'ours', runs: 1 }], conditions: CONDITIONS };

describe('a figure after a measurement', () => {
  it('has the new rows in the place of the old ones', () => {
    const { parts } = withMeasured(figureWith(MEASURED, { name: 'large' }), 'small', NEW);

    expect(parts.map(({ name }) => name)).toEqual(['small', 'large']);
    expect(parts[0]?.measured?.rows).toEqual(NEW.rows);
  });

  it('keeps its rows when the measurement failed', () => {
    const { parts } = withFailure(figureWith(MEASURED), 'small', FAILED);

    expect(parts).toEqual([{ ...MEASURED, failed: FAILED }]);
  });

  it('forgets an earlier failure when it succeeds', () => {
    const { parts } = withMeasured(figureWith({ ...MEASURED, failed: FAILED }), 'small', NEW);

    expect(parts[0]?.failed).toBeUndefined();
  });
});

describe('the figure of a definition', () => {
  it('has the parts of the definition, with what was measured of them', () => {
    const { parts } = currentFigure(bench, figureWith({ name: 'gone' }, MEASURED));

    expect(parts).toEqual([MEASURED, { name: 'large' }]);
  });

  it('keeps the rows of every server when it is measured per server', () => {
    const perServer: Published = { ...bench, parts: 'per server' };
    const known = { ...MEASURED, name: 'development server' };
    const { parts } = withMeasured(currentFigure(perServer, figureWith(known)), 'PostgreSQL', NEW);

    expect(parts.map(({ name }) => name)).toEqual(['development server', 'PostgreSQL']);
  });
});

describe('a part', () => {
  const same = { commit: CONDITIONS.commit, node: CONDITIONS.node };

  it('is measured on this commit with this Node', () => {
    expect(isMeasured(figureWith(MEASURED), 'small', same)).toBe(true);
  });

  it.each([
    ['another commit', MEASURED, { ...same, commit: 'other' }],
    ['another Node', MEASURED, { ...same, node: 'v24.0.0' }],
    ['a failure since', { ...MEASURED, failed: FAILED }, same],
    ['no measurement', { name: 'small' }, same],
  ])('is measured again after %s', (__, part, now) => {
    expect(isMeasured(figureWith(part), 'small', now)).toBe(false);
  });
});
