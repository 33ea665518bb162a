import { z } from 'zod';

import { tagsBodySchema } from '../api/cloud.js';
import type { MAKE_TASKS } from '../wire/tasks.js';
import { commonInputShape } from './common-input.js';
import { stepResultShape, toPlaceholder, type DerivedCommand } from './derived-command.js';
import {
  defineOperation,
  leavesNothing,
  lookForTag,
  withRequestId,
  type Described,
  type Documented,
} from './define-operation.js';

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
interface StatedMake<I extends Shape, R extends Shape, N extends string> extends Pick<
  Documented,
  'guarantees' | 'page'
> {
  /** The description of its command. */
  says: string;
  makes: MadeKind;
  /** The fields beside the place, the tags and `onFailure`. */
  input: I;
  /** A rule over several fields. */
  rule?: z.core.CheckFn<z.infer<InputOf<I>>>;
  /** The fields beside the tasks and the steps. */
  result: R;
  example: z.infer<InputOf<I>>;
  command: DerivedCommand<keyof I & N>;
  /** What a run has made, as a clause. */
  done: (result: z.infer<ResultOf<R>>) => string;
}

/** Defines an operation that makes one thing in one step, in a project and region. */
export function defineMake<I extends Shape, R extends Shape, N extends string>({
  input,
  rule,
  result,
  command,
  done,
  says,
  example,
  guarantees,
  page,
  makes,
}: StatedMake<I, R, N>) {
  const placeholders = command.arguments.map(toPlaceholder);
  const described: Described<z.infer<InputOf<I>>, z.infer<ResultOf<R>>> = {
    urgency: 'normal',
    reuse: 'ALLOW_DUPLICATE_FAILED_ONLY',
    requestId: 'from caller',
    readsOnly: false,
    startAgain: withRequestId(command.word, ...placeholders),
    whereToLook: lookForTag,
    leaves: leavesNothing,
    completedWork: (made) => ({
      done: done(made),
      advice: `Delete the ${makes} if you do not want it.`,
    }),
    example,
    guarantees,
    page,
    failures: {
      always: ['TaskFailed'],
      blocks: ['QuotaExceeded', 'CapacityUnavailable', 'OutcomeUnknown', 'ResourceBusy'],
    },
  };
  const schema = z.strictObject({ ...makeInputShape, ...input });
  return {
    says,
    makes,
    command,
    ...defineOperation({
      input: rule === undefined ? schema : schema.check(rule),
      result: z.object({ ...result, ...makeResultShape }),
      ...described,
    }),
  };
}
