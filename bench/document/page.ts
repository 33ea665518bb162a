import { describeChart } from './chart-data.js';
import {
  formatCell,
  rowsOf,
  titleOf,
  type Column,
  type Conditions,
  type Figure,
  type FigurePart,
  type FigureRow,
} from './figure.js';

const HEAD = `# Figures

Made by \`npm run bench -- all\`; do not edit. \`npm run bench -- render\` writes this page again from \`docs/figures/*.json\` without
measuring. Absolute figures depend on the machine. The two sides of a comparison were measured one right after the other
on the same machine, so their ratio says more. The API is the [simulator](simulator.md).`;

const NOT_YET = 'Not measured yet.';

/** The page with a table and a chart for each figure, as Markdown. */
export function renderPage(figures: readonly Figure[]): string {
  const list = figures.map(({ title }) => `- [${title}](#${anchorOf(title)})`);
  return [HEAD, list.join('\n'), ...figures.map(renderFigure)].join('\n\n');
}

/** As GitHub makes it of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function renderFigure(figure: Figure): string {
  const { id, title, about, command } = figure;
  const isDrawn = rowsOf(figure).length > 0;
  const head = [
    `## ${title}`,
    about,
    isDrawn ? `![${describeChart(figure)}](figures/${id}.svg)` : '',
  ];
  return joined([...head, renderParts(figure, `\`${command}\``)]);
}

/** What was measured of a figure: the table, remarks, checks and failures, and on which machine. */
export function renderParts(
  { columns, parts }: Pick<Figure, 'columns' | 'parts'>,
  ...below: readonly string[]
): string {
  const rows = rowsOf({ parts });
  return joined([
    rows.length === 0 ? NOT_YET : renderTable(usedColumns(columns, rows), rows),
    bullets(parts.flatMap(({ measured }) => measured?.remarks ?? [])),
    bullets(parts.flatMap(renderChecks)),
    bullets(parts.flatMap(renderFailure)),
    [...renderConditions(parts), ...below].join('<br>\n'),
  ]);
}

function joined(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** A column that no row fills would only be wide. */
function usedColumns(columns: readonly Column[], rows: readonly FigureRow[]): Column[] {
  return columns.filter(({ key }) => rows.some((row) => (row[key] ?? null) !== null));
}

function renderTable(columns: readonly Column[], rows: readonly FigureRow[]): string {
  const isNumber = ({ key }: Column): boolean => rows.some((row) => typeof row[key] === 'number');
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(titleOf)),
    line(columns.map((column) => (isNumber(column) ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map(({ key }) => formatCell(row[key])))),
  ].join('\n');
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function renderChecks({ measured }: FigurePart): string[] {
  return (measured?.checks ?? []).map(
    ({ promise, kept }) => `${promise}: ${kept ? 'kept' : '**BROKEN**'}.`,
  );
}

function renderFailure({ name, failed, measured }: FigurePart): string[] {
  if (failed === undefined) return [];
  const shown = measured
    ? `The figures above are from ${dayOf(measured.conditions.date)}.`
    : 'There are no older figures.';
  return [
    `**The last measurement of “${name}” failed** on ${dayOf(failed.date)} at ${failed.commit}: ${failed.reason} ${shown}`,
  ];
}

/** One line for the parts that share a machine, a day and a commit. */
function renderConditions(parts: readonly FigurePart[]): string[] {
  const groups = new Map<string, { names: string[]; loads: number[] }>();
  for (const { name, measured } of parts) {
    if (measured === undefined) continue;
    const text = describeConditions(measured.conditions);
    const group = groups.get(text) ?? { names: [], loads: [] };
    group.names.push(name);
    group.loads.push(measured.conditions.loadBefore);
    groups.set(text, group);
  }
  return [...groups].map(([text, { names, loads }]) => {
    const whose = groups.size > 1 ? ` (${names.join(', ')})` : '';
    return `Measured${whose} ${text}, load before at most ${formatCell(Math.max(...loads))}.`;
  });
}

function describeConditions({ date, commit, node, cores, cpu, memoryGib }: Conditions): string {
  const machine = `${cores} cores (${cpu}), ${formatCell(memoryGib)} GiB`;
  return `on ${dayOf(date)} at ${commit}: Node ${node}, ${machine}`;
}

function dayOf(date: string): string {
  return date.slice(0, 'YYYY-MM-DD'.length);
}
