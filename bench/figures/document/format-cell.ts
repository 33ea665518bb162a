import type { FigureRow } from './figure.js';

const THOUSANDS = /\B(?=(\d{3})+$)/g;

/** Three digits are more than one measurement is good for; a count of events is shown in full. */
export function formatCell(value: FigureRow[string] | undefined): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value.replaceAll('|', '\\|');
  if (!Number.isFinite(value)) return '–';
  const [whole = '', part] = rounded(value).split('.');
  const grouped = whole.replaceAll(THOUSANDS, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : 2);
}
