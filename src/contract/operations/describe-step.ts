import { z } from 'zod';

import { ledgerSchema } from '../documents.js';
import { withRequestId, type Described } from './define-operation.js';

/** The command of an operation whose definition names it. */
export interface DerivedCommand<N extends string = string> {
  readonly word: string;
  /** The fields that are its arguments, in this order. */
  readonly arguments: readonly N[];
  /** The fields that are options of it: `imageId` is `--image-id`. */
  readonly options?: readonly N[];
  /** Those that name a file with the text of the field, or with its JSON where the field is an object; `-` is stdin. */
  readonly files?: readonly N[];
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

/** What every operation of one step states. `I` and `R` are its whole input and result. */
export interface StatedStep<I, R, N extends string> extends Pick<
  Described<I, R>,
  'guarantees' | 'page' | 'shows'
> {
  /** The description of its command. */
  says: string;
  example: I;
  command: DerivedCommand<N>;
  /** See `Described`. */
  foundBy?: readonly NoInfer<N>[];
  /** What a run has done, as a clause. */
  done: (result: R) => string;
}

/** What follows from that for each of them. A repeat starts only after a failure. */
export function describeStep<I, R>(
  { command, done, example, foundBy, guarantees, page, shows }: StatedStep<I, R, string>,
  rest: Pick<Described<I, R>, 'whereToLook' | 'leaves' | 'failures' | 'subjects' | 'repeat'> & {
    /** What a person may do after it: a sentence. */
    advice: string;
  },
): Described<I, R> & { requestId: 'from caller' } {
  const { advice, ...particular } = rest;
  return {
    urgency: 'normal',
    reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
    requestId: 'from caller',
    readsOnly: false,
    startAgain: withRequestId(command.word, ...command.arguments.map(toPlaceholder)),
    completedWork: (result) => ({ done: done(result), advice }),
    example,
    guarantees,
    page,
    shows,
    foundBy,
    ...particular,
  };
}
