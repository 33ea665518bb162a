import type { z } from 'zod';

import type { FailureType } from '../../engine/core/failures.js';
import type { JoinRequest } from '../../engine/core/messages.js';
import type { Urgency } from '../../engine/core/names.js';

/** What `npm run docs:write` puts into docs/workflows.md, beside the fields of the schemas. Markdown. */
export interface Documented {
  /** What a run does, when it succeeds, and what it never does: one to four sentences. */
  guarantees: string;
  /** The page about it in `docs`. */
  page: `${string}.md`;
  /** Types beside those that every run can fail as. `blocks`: only with `onBlocked: "fail"`, else the run waits. */
  failures: { always?: readonly FailureType[]; blocks?: readonly FailureType[] };
  /** What a run answers beside the messages that every run answers: a clause. */
  messages?: string;
}

/** What callers, the client and the command line know about an operation, apart from its schemas. */
export interface Described<I, R> extends Documented {
  /**
   * The values of an input in which nobody has a reason to write a secret, by their places: `instance.flavor`, in a list as
   * beside it. Whoever may read a run sees these; a field that is not named here is hidden. See `COMMON_SHOWN`.
   */
  shows: readonly string[];
  /** An input, as the reference of the HTTP API shows it. The tests send it. */
  example: I;
  /** Urgency of a run when the caller chooses none. */
  urgency: Urgency;
  /** Temporal's reuse policy: whether a request that has succeeded may run again. */
  reuse: 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY';
  /**
   * What a request that nobody has named is when it is repeated. `once`: it makes something, so it must never be taken for
   * another one; `now`: it lets something be so, and who asks wants it now.
   */
  repeat: 'once' | 'now';
  /** Whether the caller names the request; otherwise how its id follows from the input. */
  requestId: 'from caller' | ((input: I) => string);
  /** Values of fields that the caller leaves out. Writing one out does not change the intent. */
  defaults?: Partial<I>;
  /** Fields in which a repeat may differ and still join the open run. */
  joinsWith?: readonly (keyof I)[];
  /** What a repeat asks of the open run that it joins; left out when it need not ask. */
  joinRequest?: (input: I) => JoinRequest;
  /** Whether a run with this input ends what it has made so. Joining makes that last longer, and not for ever. */
  endsItself?: (input: I) => boolean;
  /** The one form of an input that has several. */
  normalize?: (input: I) => I;
  /**
   * What a run changes, as runs take turns at it: `volume/4f…`. The items of one batch change each thing once. None for
   * what is made new, or only read.
   */
  subjects: (input: I) => readonly string[];
  /**
   * The fields of an input by which a run finds what an earlier run of its request has made, beside the place and the marker. After
   * one that may have made something they stay as they were: see `refuse-moved`.
   */
  foundBy?: readonly string[] | undefined;
  /** Whether a run changes nothing at the API: then there is nothing to find, remove or keep. */
  readsOnly: boolean;
  /**
   * The command that starts the same request again. `requestId` is missing when the caller chose the
   * Workflow Id; `undefined` when no command can start that run.
   */
  startAgain: (requestId: string | undefined) => readonly string[] | undefined;
  /** Where a person sees what a run did that could not report it. */
  whereToLook: (tag: string) => string;
  /** What a run that failed or was cancelled leaves where it names no resource. */
  leaves: LeftWork;
  /** What a run has done when a request to stop it came too late. */
  completedWork: (result: R) => CompletedWork;
}

export interface CompletedWork {
  /** A clause, such as `instance 4f… exists`. */
  done: string;
  /** How to undo it. */
  advice: string;
}

export interface LeftWork {
  /** A sentence without its full stop. */
  says: string;
  /** What a person may do about it: a clause. */
  next: string;
  /** A failed run undoes its work: this holds unless one of its steps says otherwise. */
  undoes?: true;
}

/** For operations whose resources the status names until they are verified as gone. */
export const leavesNothing = {
  says: 'Nothing that it created is left, as far as it knows',
  next: 'nothing to do',
  undoes: true,
} as const satisfies LeftWork;

/** For operations whose command takes `--request-id`. */
export function withRequestId(...command: string[]): Described<unknown, unknown>['startAgain'] {
  return (requestId) =>
    requestId === undefined ? undefined : [...command, '--request-id', requestId];
}

/** For operations that tag what they create. */
export function lookForTag(tag: string): string {
  return `Everything it created carries the tag ${tag}`;
}

/** How the id of a request follows from its input. */
type Named<I> = 'from caller' | ((input: I) => string);

type Definition<I extends z.ZodType, R extends z.ZodType, N> = {
  input: I;
  result: R;
  requestId: N;
} & Omit<Described<z.infer<I>, z.infer<R>>, 'requestId'>;

/** The definition of an operation: its schemas, and what is to be known about it. */
export function defineOperation<
  I extends z.ZodType,
  R extends z.ZodType,
  const N extends Named<z.infer<I>>,
>(definition: Definition<I, R, N>): Definition<I, R, N> {
  return definition;
}
