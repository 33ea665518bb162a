import { z } from 'zod';

import { scripts } from './scripts/index.js';
import type { Script } from './stage.js';

const optionsSchema = z.object({
  /** Of the real server. */
  address: z.string(),
  /** Files with the bundled workflows, and with their next version. */
  bundles: z.object({ now: z.string(), next: z.string() }),
  /** The outcomes are written to this file. */
  file: z.string(),
  /** Parts of the names of the scripts to run. All of them if there are none. */
  names: z.array(z.string()),
  /** How many run side by side on the real server. */
  atOnce: z.int().positive(),
});
export type RunOptions = z.infer<typeof optionsSchema>;

/** What a process that runs scripts was told. */
export function readRunOptions(): RunOptions & { chosen: Script[] } {
  const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? ''));
  const { names } = options;
  const chosen = scripts.filter(
    ({ name }) => names.length === 0 || names.some((part) => name.includes(part)),
  );
  return { ...options, chosen };
}
