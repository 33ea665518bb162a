import { z } from 'zod';

import type { FailureType } from '../../engine/core/failures.js';
import { accountInputShape, placedInputShape } from './common-input.js';
import { describeStep, stepResultShape, type StatedStep } from './describe-step.js';
import { defineOperation, type Described, type Documented } from './define-operation.js';

/** What the operations change that are one step. */
export type ChangedKind =
  | 'instance'
  | 'volume'
  | 'floating IP'
  | 'DDoS protection'
  | 'SSH key'
  | 'SFTP storage'
  | 'KV store'
  | 'video'
  | 'resource';

type Shape = z.core.$ZodLooseShape;
type ResultOf<S extends Shape> = z.ZodObject<S & typeof stepResultShape>;

/** What is particular to an operation that changes one thing in one step. `B`: the fields that every such input has. */
interface StatedChange<
  B extends Shape,
  I extends Shape,
  R extends Shape,
  N extends string,
> extends StatedStep<
  z.infer<z.ZodObject<B & I, z.core.$strict>>,
  z.infer<ResultOf<R>>,
  keyof I & N
> {
  /** What it changes, as texts call it. */
  changes: ChangedKind;
  /** Which one: see `Described`. */
  subjects: (input: z.infer<z.ZodObject<B & I, z.core.$strict>>) => readonly string[];
  /** `now` when left out: see `Described`. */
  repeat?: Described<unknown, unknown>['repeat'];
  /** The fields beside those that every input has. */
  input: I;
  /** What its fields must be together. */
  rules?: readonly z.core.$ZodCheck<unknown>[];
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

type Placed = typeof placedInputShape;
type OfAccount = typeof accountInputShape;

/**
 * Defines an operation that is one step in a project and region. All that is not particular follows: the input is
 * checked and prepared, the command has the named fields as its arguments, a repeat starts only after a failure.
 */
export function defineChange<I extends Shape, R extends Shape, N extends string>(
  stated: StatedChange<Placed, I, R, N>,
) {
  return define<Placed, I, R, N>(placedInputShape, {
    failures: {
      always: ['TaskFailed'],
      blocks: [...(stated.blocks ?? []), 'OutcomeUnknown', 'ResourceBusy'],
    },
    ...stated,
  });
}

/** The same of what belongs to an account, and to no project and region. Its calls start no tasks. */
export function defineAccountChange<I extends Shape, R extends Shape, N extends string>(
  stated: StatedChange<OfAccount, I, R, N>,
) {
  return define<OfAccount, I, R, N>(accountInputShape, {
    failures: { blocks: [...(stated.blocks ?? []), 'OutcomeUnknown', 'ResourceBusy'] },
    ...stated,
  });
}

function define<B extends Shape, I extends Shape, R extends Shape, N extends string>(
  base: B,
  {
    input,
    rules = [],
    result,
    leaves,
    failures = {},
    undo = 'Start another run to change it again.',
    changes,
    subjects,
    repeat = 'now',
    ...stated
  }: StatedChange<B, I, R, N>,
) {
  const described = describeStep(stated, {
    whereToLook: () => `The ${changes} shows it`,
    leaves: { says: leaves, next: 'look at it, then start again if it is not as wanted' },
    failures,
    advice: undo,
    subjects,
    repeat,
  });
  return {
    says: stated.says,
    changes,
    command: stated.command,
    ...defineOperation({
      input: z.strictObject({ ...base, ...input }).check(...rules),
      result: z.object({ ...result, ...stepResultShape }),
      ...described,
    }),
  };
}
