import { z } from 'zod';

import { tagsBodySchema } from '../api/cloud.js';
import type { MAKE_TASKS } from '../wire/tasks.js';
import { commonInputShape } from './common-input.js';
import { describeStep, stepResultShape, type StatedStep } from './describe-step.js';
import { defineOperation, leavesNothing, lookForTag } from './define-operation.js';

/** What the operations make that are one step. */
export type MadeKind = keyof typeof MAKE_TASKS;

/** The fields of every operation that makes one thing in one step. */
const makeInputShape = {
  ...commonInputShape,
  tags: tagsBodySchema.optional().describe('tags of what is made, beside those that the run sets'),
};
const makeResultShape = {
  adopted: z.boolean().describe('true when an earlier try of this request had made it'),
  ...stepResultShape,
};

type Shape = z.core.$ZodLooseShape;
type InputOf<S extends Shape> = z.ZodObject<typeof makeInputShape & S, z.core.$strict>;
type ResultOf<S extends Shape> = z.ZodObject<S & typeof makeResultShape>;

/** What is particular to an operation that makes one thing in one step (`MakeStep` of the engine). */
interface StatedMake<I extends Shape, R extends Shape, N extends string> extends StatedStep<
  z.infer<InputOf<I>>,
  z.infer<ResultOf<R>>,
  keyof I & N
> {
  makes: MadeKind;
  /** The fields beside the place, the tags and `onFailure`. */
  input: I;
  /** Rules over several fields (`crossFieldRule`). */
  rules?: readonly z.core.$ZodCheck<unknown>[];
  /** The fields beside the tasks and the steps. */
  result: R;
}

/** Defines an operation that makes one thing in one step, in a project and region. */
export function defineMake<I extends Shape, R extends Shape, N extends string>({
  input,
  rules = [],
  result,
  makes,
  ...stated
}: StatedMake<I, R, N>) {
  const described = describeStep(stated, {
    whereToLook: lookForTag,
    leaves: leavesNothing,
    failures: {
      always: ['TaskFailed'],
      blocks: ['QuotaExceeded', 'CapacityUnavailable', 'OutcomeUnknown', 'ResourceBusy'],
    },
    advice: `Delete the ${makes} if you do not want it.`,
    subjects: () => [],
    repeat: 'once',
  });
  return {
    says: stated.says,
    makes,
    command: stated.command,
    ...defineOperation({
      input: z.strictObject({ ...makeInputShape, ...input }).check(...rules),
      result: z.object({ ...result, ...makeResultShape }),
      ...described,
    }),
  };
}
