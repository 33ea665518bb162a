import { rowsOf, type Column, type Figure, type FigureRow } from './figure.js';

export interface Series {
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
