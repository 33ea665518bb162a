import { z } from 'zod';

import type { Chart, Column, Measured } from './document/figure.js';

/** `quick` shows with one small part that a bench works. Its figures mean nothing and are never published. */
export type Size = 'full' | 'quick';

/** By name, as `--task-seconds 45` gives `taskSeconds`. */
export type Settings = Readonly<Record<string, string | number>>;

interface Facts {
  id: string;
  title: string;
  /** What it tells, for `--list`. */
  summary: string;
  /** About how long all parts take at full size, alone on two cores. */
  minutes: number;
  columns: Column[];
  /** For docs/figures.md. A bench without it only prints. */
  page?: Page;
}

export interface Page {
  /** What is compared with what, and how. Markdown. */
  about: string;
  chart: Chart;
  /** True: it takes so long that it is published only by its name. */
  isApart?: boolean;
}

export interface Bench extends Facts {
  /** Each is measured in a process of its own. With `per server`, the name of the Temporal server is the only part. */
  parts: readonly string[] | 'per server';
  /** Its settings with their values at full size. */
  settings: Readonly<Record<string, unknown>>;
  measure: (part: string, size: Size, given: Settings) => Promise<Measured>;
}

interface Definition<S extends z.ZodObject> extends Facts {
  /** Settings that a caller may give, each with the value of the published figure. */
  settings: S;
  /** By name, with the settings in which they differ. */
  parts?: Readonly<Record<string, Settings>> | 'per server';
  /** Settings of size `quick`. */
  quick?: Settings;
  measure: (plan: z.output<S>, part: string) => Promise<Measured>;
}

const ONE_PART: Readonly<Record<string, Settings>> = { all: {} };

export function defineBench<S extends z.ZodObject>(definition: Definition<S>): Bench {
  const { settings, parts = ONE_PART, quick, measure, ...facts } = definition;
  const ofParts = parts === 'per server' ? {} : parts;
  return {
    ...facts,
    parts: parts === 'per server' ? parts : Object.keys(parts),
    settings: settings.parse(Object.values(ofParts)[0] ?? {}),
    measure: async (part, size, given) => {
      const plan = { ...ofParts[part], ...(size === 'quick' && quick), ...given };
      return measure(settings.parse(plan), part);
    },
  };
}

export function number(value: number) {
  return z.coerce.number().default(value);
}

/** Numbers with commas between them. */
export function numbers(...values: number[]) {
  return z
    .string()
    .default(values.join())
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(z.number()));
}
