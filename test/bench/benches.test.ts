import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { BENCHES, PUBLISHED } from '../../bench/benches.js';
import { renderChart } from '../../bench/document/chart.js';
import { figureSchema } from '../../bench/document/figure.js';
import {
  createFigureStore,
  currentFigure,
  renderFormattedPage,
} from '../../bench/document/store.js';

const FOLDER = 'docs/figures';
const store = createFigureStore('docs');
const figures = PUBLISHED.map((definition) => currentFigure(definition, store.read(definition.id)));

describe('docs/figures.md', () => {
  it('is what the stored figures render to: `npm run bench -- render` makes it', async () => {
    expect(readFileSync(store.page, 'utf8')).toBe(await renderFormattedPage(figures));
  });

  it.each(figures)('has a chart of what is stored: $id', (figure) => {
    const file = join(FOLDER, `${figure.id}.svg`);
    const stored = existsSync(file) ? readFileSync(file, 'utf8') : undefined;

    expect(stored).toBe(renderChart(figure));
  });

  it('keeps no figure that no bench makes any more', () => {
    const ids = PUBLISHED.map(({ id }) => id);
    const stored = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

    expect(stored.filter((name) => !ids.includes(basename(name, '.json')))).toEqual([]);
  });
});

describe('a figure', () => {
  it.each(figures)('draws only columns of its table: $id', (figure) => {
    const { columns, chart } = figureSchema.parse(figure);
    const drawn = [
      chart.x,
      ...(chart.series === undefined ? [] : [chart.series]),
      ...chart.panels.flat(),
    ];

    expect(columns.map(({ key }) => key)).toEqual(expect.arrayContaining(drawn));
  });
});

describe('a bench', () => {
  it('has an id and a title of its own', () => {
    for (const names of [BENCHES.map(({ id }) => id), BENCHES.map(({ title }) => title)]) {
      expect(new Set(names).size).toBe(BENCHES.length);
    }
  });

  it.each(BENCHES)('fills each of its columns from one place: $id', ({ columns }) => {
    expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
  });
});
