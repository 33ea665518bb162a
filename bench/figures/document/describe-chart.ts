import { chartData, type Series } from './chart-panels.js';
import type { Column, Figure } from './figure.js';
import { formatCell } from './format-cell.js';

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
