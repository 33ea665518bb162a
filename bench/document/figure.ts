import { z } from 'zod';

/** What a figure was measured on, and when. */
const conditionsSchema = z.strictObject({
  /** When the part had been measured. */
  date: z.iso.datetime(),
  /** The last commit that changed more than documents; with `+` when files had changed since. */
  commit: z.string(),
  node: z.string(),
  cores: z.number(),
  cpu: z.string(),
  memoryGib: z.number(),
  /** Load of the machine in the minute before. Above a tenth of the cores, something else ran too. */
  loadBefore: z.number(),
  seconds: z.number(),
});
export type Conditions = z.infer<typeof conditionsSchema>;

const cellSchema = z.union([z.string(), z.number(), z.null()]);
const rowSchema = z.record(z.string(), cellSchema);
/** A row of the table, by the keys of the columns. `null`: there is no such value. */
export type FigureRow = z.infer<typeof rowSchema>;

const measuredSchema = z.strictObject({
  rows: z.array(rowSchema),
  /** Promises that the figure must keep. */
  checks: z.array(z.strictObject({ promise: z.string(), kept: z.boolean() })).optional(),
  remarks: z.array(z.string()).optional(),
});
/** What the process that measures one part hands back. */
export type Measured = z.infer<typeof measuredSchema>;

const partSchema = z.strictObject({
  name: z.string(),
  /** Missing while no measurement has succeeded. */
  measured: measuredSchema.extend({ conditions: conditionsSchema }).optional(),
  /** The last try, when it failed. What was measured before it stays. */
  failed: z
    .strictObject({ date: z.iso.datetime(), commit: z.string(), reason: z.string() })
    .optional(),
});
export type FigurePart = z.infer<typeof partSchema>;

const columnSchema = z.strictObject({
  key: z.string(),
  title: z.string(),
  unit: z.string().optional(),
});
export type Column = z.infer<typeof columnSchema>;

const chartSchema = z.strictObject({
  kind: z.enum(['bar', 'line']),
  /** The column along the horizontal axis. */
  x: z.string(),
  /** The column that tells bars or lines of one panel apart. */
  series: z.string().optional(),
  /** Panels from top to bottom. Several columns of one panel are told apart by colour. */
  panels: z.array(z.array(z.string()).min(1)).min(1),
});

export type Chart = z.infer<typeof chartSchema>;

/** One figure as it is stored: enough to render its table and its chart without measuring. */
export const figureSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z-]*$/),
  title: z.string(),
  /** What is compared with what, and how. Markdown. */
  about: z.string(),
  command: z.string(),
  columns: z.array(columnSchema).min(1),
  chart: chartSchema,
  parts: z.array(partSchema),
});
export type Figure = z.infer<typeof figureSchema>;

export function parseMeasured(value: unknown): Measured {
  return measuredSchema.parse(value);
}

export function rowsOf({ parts }: Pick<Figure, 'parts'>): FigureRow[] {
  return parts.flatMap(({ measured }) => measured?.rows ?? []);
}

/** With its unit, as a table and a chart show it. */
export function titleOf({ title, unit }: Column): string {
  return unit === undefined ? title : `${title}, ${unit}`;
}

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
