import { mkdirSync, readFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { figureSchema, type Figure } from './figure.js';
import { renderChart } from './render-chart.js';
import { renderPage } from './render-page.js';

/** Where a page, its charts and their data are. */
export interface FigureStore {
  read: (id: string) => Figure | undefined;
  write: (figure: Figure) => Promise<void>;
  /** Writes the page, and a chart for each figure that has data. */
  render: (figures: readonly Figure[]) => Promise<void>;
  page: string;
}

/** @param folder holds `figures.md` and the folder `figures` */
export function createFigureStore(folder: string): FigureStore {
  const data = join(folder, 'figures');
  const page = join(folder, 'figures.md');
  return {
    page,
    read(id) {
      const file = join(data, `${id}.json`);
      if (!existsSync(file)) return undefined;
      return figureSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    },
    async write(figure) {
      mkdirSync(data, { recursive: true });
      const text = JSON.stringify(figureSchema.parse(figure));
      replaceFile(join(data, `${figure.id}.json`), await pretty(text, 'json'));
    },
    async render(figures) {
      mkdirSync(data, { recursive: true });
      for (const figure of figures) {
        const chart = renderChart(figure);
        if (chart !== undefined) replaceFile(join(data, `${figure.id}.svg`), chart);
      }
      replaceFile(page, await renderFormattedPage(figures));
    },
  };
}

export function renderFormattedPage(figures: readonly Figure[]): Promise<string> {
  return pretty(renderPage(figures), 'markdown');
}

/** As `npm run format` leaves it. */
async function pretty(text: string, parser: 'json' | 'markdown'): Promise<string> {
  return format(text, { ...(await resolveConfig('docs/figures.md')), parser });
}

/** A process that is killed in between leaves the old file whole. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
