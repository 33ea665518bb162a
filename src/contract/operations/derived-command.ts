import { z } from 'zod';

import { ledgerSchema } from '../documents.js';

/** The command of an operation whose definition names it. */
export interface DerivedCommand<N extends string = string> {
  readonly word: string;
  /** The fields that are its arguments, in this order. */
  readonly arguments: readonly N[];
  /** The fields that are options of it: `imageId` is `--image-id`. */
  readonly options?: readonly N[];
}

/** `instanceId` → `INSTANCE_ID` */
export function toPlaceholder(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** What the result of every operation that is one step has. */
export const stepResultShape = {
  taskIds: z
    .array(z.string())
    .describe('of this run, as far as it knows them; none when there was nothing to do'),
  ledger: ledgerSchema,
};
