import type { Figure, Measured } from './document/figure.js';

/** `quick` shows with one small part that a bench works. Its figures mean nothing and are never published. */
export type Size = 'full' | 'quick';

/** How a figure is made. */
export interface FigureDefinition extends Omit<Figure, 'parts' | 'command'> {
  /** Each is measured in a process of its own. With `per server`, the name of the Temporal server is the only part. */
  parts: readonly [string, ...string[]] | 'per server';
  /** True: it has a command of its own, and `bench:all` only renders it. */
  apart?: boolean;
  /** About how long all parts take at full size, alone on two cores. */
  minutes: number;
  /** When missing, `npm run bench:all -- --only ID`. */
  command?: string;
  measure: (part: string, size: Size) => Promise<Measured>;
}
