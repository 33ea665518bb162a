import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails } from '../../engine/core/failures.js';
import { describeSecret, type SecretRef } from '../../contract/wire/secret-ref.js';
import type { FoundSecret } from './secret-source.js';

/** A secret by its name that has no value now. */
export interface Lack {
  ref: SecretRef;
  read: Exclude<FoundSecret, { is: 'found' | 'unfit' }>;
}

/** Secrets that a message names. */
const MAX_NAMED = 10;
const WAIT = 'Nothing to do: it is read again until its place answers.';

/**
 * The failure of a call that was not sent, because it lacks a secret. A person has to mend what is
 * missing; a place that does not answer is only waited for.
 */
export function lackFailure(lacks: readonly Lack[]): ApplicationFailure {
  const mendable = lacks.filter(({ read }) => read.is !== 'away');
  const isAway = mendable.length === 0;
  const shown = isAway ? lacks : mendable;
  const named = shown.slice(0, MAX_NAMED).map(describeLack).join('; ');
  const more = shown.length > MAX_NAMED ? `; and ${shown.length - MAX_NAMED} more` : '';
  const advice = shown.slice(0, 1).map(adviceOf).join('');
  return ApplicationFailure.create({
    type: isAway ? FailureType.serviceUnavailable : FailureType.secretUnavailable,
    nonRetryable: !isAway,
    message: `Not sent: ${named}${more}. ${advice}`,
    details: [{ advice } satisfies FailureDetails],
  });
}

/** For a message: `the secret "web-admin" does not exist`. */
export function describeLack({ ref, read }: Lack): string {
  const name = describeSecret(ref);
  if (read.is === 'missing') return `${name} does not exist`;
  return read.is === 'away' ? `${name} could not be read (${read.why})` : `${name} ${read.why}`;
}

export function adviceOf({ read }: Lack): string {
  return read.is === 'away' ? WAIT : read.advice;
}
