import { mkdirSync, readFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import type { Bench, Page } from '../bench.js';
import { renderChart } from './chart.js';
import { figureSchema, type Conditions, type Figure, type FigurePart } from './figure.js';
import { renderPage } from './page.js';

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
export async function pretty(text: string, parser: 'json' | 'markdown'): Promise<string> {
  return format(text, { ...(await resolveConfig('docs/figures.md')), parser });
}

/** A process that is killed in between leaves the old file whole. */
function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** A bench that docs/figures.md shows. */
export interface Published extends Bench {
  page: Page;
}

/** The figure as it is defined now, with the parts that were measured before. */
export function currentFigure(bench: Published, former: Figure | undefined): Figure {
  const { id, title, columns, parts, page } = bench;
  const known = former?.parts ?? [];
  const names = parts === 'per server' ? known.map(({ name }) => name) : parts;
  return {
    id,
    title,
    about: page.about,
    command: `npm run bench -- all --only ${id}`,
    columns,
    chart: page.chart,
    parts: names.map((name) => known.find((part) => part.name === name) ?? { name }),
  };
}

/** The figure with a new measurement of a part. */
export function withMeasured(
  figure: Figure,
  name: string,
  measured: NonNullable<FigurePart['measured']>,
): Figure {
  return withPart(figure, { name, measured });
}

/** The figure with a failed try. What was measured before stays. */
export function withFailure(
  figure: Figure,
  name: string,
  failed: NonNullable<FigurePart['failed']>,
): Figure {
  const former = figure.parts.find((part) => part.name === name);
  return withPart(figure, { ...former, name, failed });
}

function withPart(figure: Figure, part: FigurePart): Figure {
  const isKnown = figure.parts.some(({ name }) => name === part.name);
  const parts = figure.parts.map((each) => (each.name === part.name ? part : each));
  return { ...figure, parts: isKnown ? parts : [...parts, part] };
}

/** Whether this part was measured on this commit with this Node. */
export function isMeasured(
  { parts }: Figure,
  name: string,
  { commit, node }: Pick<Conditions, 'commit' | 'node'>,
): boolean {
  const part = parts.find((each) => each.name === name);
  const conditions = part?.measured?.conditions;
  return part?.failed === undefined && conditions?.commit === commit && conditions.node === node;
}
