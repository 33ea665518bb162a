import { z } from 'zod';

import type { FailureType } from '../../engine/core/failures.js';
import { placedInputShape } from './common-input.js';
import { describeStep, stepResultShape, type StatedStep } from './describe-step.js';
import { defineOperation, type Documented } from './define-operation.js';

/** What the operations change that are one step. */
export type ChangedKind = 'instance' | 'volume' | 'DDoS protection';

type Shape = z.core.$ZodLooseShape;
type InputOf<S extends Shape> = z.ZodObject<typeof placedInputShape & S, z.core.$strict>;
type ResultOf<S extends Shape> = z.ZodObject<S & typeof stepResultShape>;

/** What is particular to an operation that changes one thing in one step (`ChangeStep` of the engine). */
interface StatedChange<I extends Shape, R extends Shape, N extends string> extends StatedStep<
  z.infer<InputOf<I>>,
  z.infer<ResultOf<R>>,
  keyof I & N
> {
  /** What it changes, as texts call it. */
  changes: ChangedKind;
  /** The fields beside those that every input in a project and region has. */
  input: I;
  /** The fields beside the tasks and the steps. */
  result: R;
  /** Types that block a run, beside those that every change can meet. */
  blocks?: readonly FailureType[];
  /** Instead of those that every change can meet. */
  failures?: Documented['failures'];
  /** What a person may do after it: a sentence. */
  undo?: string;
  /** What a run that failed or was cancelled leaves: a sentence without its full stop. */
  leaves: string;
}

/**
 * Defines an operation that is one step in a project and region. All that is not particular follows: the input is
 * checked and prepared, the command has the named fields as its arguments, a repeat starts only after a failure.
 */
export function defineChange<I extends Shape, R extends Shape, N extends string>({
  input,
  result,
  leaves,
  blocks = [],
  failures = { always: ['TaskFailed'], blocks: [...blocks, 'OutcomeUnknown', 'ResourceBusy'] },
  undo = 'Start another run to change it again.',
  changes,
  ...stated
}: StatedChange<I, R, N>) {
  const described = describeStep(stated, {
    whereToLook: () => `The ${changes} shows it`,
    leaves: { says: leaves, next: 'look at it, then start again if it is not as wanted' },
    failures,
    advice: undo,
  });
  return {
    says: stated.says,
    changes,
    command: stated.command,
    ...defineOperation({
      input: z.strictObject({ ...placedInputShape, ...input }),
      result: z.object({ ...result, ...stepResultShape }),
      ...described,
    }),
  };
}
