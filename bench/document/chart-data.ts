import { formatCell, rowsOf, type Column, type Figure, type FigureRow } from './figure.js';

interface Series {
  name: string;
  /** One for each place of the horizontal axis. `null`: no bar, a gap in the line. */
  values: (number | null)[];
}

export interface Panel {
  /** The column or columns that it shows. */
  columns: Column[];
  series: Series[];
}

export interface ChartData {
  x: Column;
  places: string[];
  panels: Panel[];
}

/** What the chart of a figure shows; without data, `undefined`. */
export function chartData(figure: Figure): ChartData | undefined {
  const rows = rowsOf(figure);
  const { chart, columns } = figure;
  if (rows.length === 0) return undefined;
  const columnOf = (key: string): Column => {
    const found = columns.find((column) => column.key === key);
    if (found === undefined) throw new Error(`The chart of ${figure.id} names no column: ${key}`);
    return found;
  };
  const places = distinct(rows, chart.x);
  const panels = chart.panels
    .map((keys) => toPanel(keys.map(columnOf), { rows, places, x: chart.x, by: chart.series }))
    .filter(({ series }) => series.length > 0);
  return { x: columnOf(chart.x), places, panels };
}

interface Axes {
  rows: readonly FigureRow[];
  places: readonly string[];
  x: string;
  by: string | undefined;
}

function toPanel(columns: Column[], { rows, places, x, by }: Axes): Panel {
  const names = by === undefined ? [''] : distinct(rows, by);
  const series = columns.flatMap((column) =>
    names.map((name): Series => {
      const own = rows.filter((row) => by === undefined || String(row[by]) === name);
      const values = places.map((place) => {
        const value = own.find((row) => String(row[x]) === place)?.[column.key];
        return typeof value === 'number' && Number.isFinite(value) ? value : null;
      });
      return { name: nameOf(column, name, columns.length > 1), values };
    }),
  );
  return { columns, series: series.filter(({ values }) => values.some((value) => value !== null)) };
}

function nameOf({ title }: Column, name: string, hasSeveral: boolean): string {
  if (name === '') return title;
  return hasSeveral ? `${name}, ${title}` : name;
}

function distinct(rows: readonly FigureRow[], key: string): string[] {
  return [...new Set(rows.map((row) => String(row[key])))];
}

/** The alternative text: what the chart shows, with the first and the last value of each series of its first panel. */
export function describeChart(figure: Figure): string {
  const data = chartData(figure);
  const [first] = data?.panels ?? [];
  if (data === undefined || first === undefined) return figure.title;
  const shown = data.panels.flatMap(({ columns }) => columns.map(({ title }) => title));
  const values = first.series.map((series) => describeSeries(series, data.places));
  const what = `${figure.title}: ${shown.join(', ')} by ${data.x.title}.`;
  return withoutBrackets(`${what} ${titles(first.columns)}: ${values.join('; ')}.`);
}

function titles(columns: readonly Column[]): string {
  return columns.map(({ title }) => title).join(' and ');
}

function describeSeries({ name, values }: Series, places: readonly string[]): string {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const ends = [...new Set([known.at(0), known.at(-1)])];
  const texts = ends.flatMap((end) =>
    end === undefined ? [] : [`${formatCell(end.value)} at ${places[end.index] ?? ''}`],
  );
  return `${name} ${texts.join(' to ')}`;
}

/** Markdown would end the text at a bracket. */
function withoutBrackets(text: string): string {
  return text.replaceAll(/[[\]]/g, '');
}
