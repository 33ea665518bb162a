import { ApplicationFailure } from '@temporalio/common';

import { FailureType, type FailureDetails } from '../engine/core/failures.js';
import type { PayloadOwner } from './payload-owner.js';

/**
 * Thrown when a payload cannot be decrypted here. Nothing is lost by it: a workflow task and a read are repeated until a
 * worker has the key, and a call that changes something was not sent.
 */
export class DecryptionError extends ApplicationFailure {
  /** Also that of another copy of this module: the command line has one, and what serves has another. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    const isOfType =
      error instanceof ApplicationFailure && error.type === FailureType.decryptionFailed;
    return isOfType && 'advice' in error;
  }

  readonly advice: string;

  constructor(problem: string, advice: string) {
    const details: FailureDetails = { advice };
    const type = FailureType.decryptionFailed;
    super(`${problem} ${advice}`, type, false, [details]);
    this.advice = advice;
  }
}

const GIVE_KEYS =
  'Set GCORE_CODEC_KEYS_FILE to the key ring that the workers have (docs/secure.md), and start this program again.';

/** A program without any keys. */
export function noKeys(id: string): DecryptionError {
  return new DecryptionError(
    `The payload is encrypted with the key "${id}", and this program has no keys.`,
    GIVE_KEYS,
  );
}

export function unknownKey(id: string, known: Iterable<string>): DecryptionError {
  return new DecryptionError(
    `The payload is encrypted with the key "${id}", which the key ring of this program does not have (it has ${[...known].join(', ')}).`,
    `Add the key "${id}" to its key ring: it must stay there for as long as runs of its time are kept (docs/secure.md).`,
  );
}

export function doesNotOpen(id: string): DecryptionError {
  return new DecryptionError(
    `The key "${id}" does not open this payload: the ring has another key under this id, or the payload was changed.`,
    `Put the key back that had the id "${id}" when the payload was written (docs/secure.md).`,
  );
}

export function unknownForm(form: string): DecryptionError {
  return new DecryptionError(
    `The payload is encrypted in the form "${form}", which this version does not know.`,
    'Use the version that has written it, or a later one.',
  );
}

export function notForThisRun({ namespace, workflowId = '' }: PayloadOwner): DecryptionError {
  return new DecryptionError(
    `The payload was not written for "${workflowId}" in the namespace "${namespace}": somebody has moved it there from another run, or encrypted it without saying for whom.`,
    'Find out who writes to the Temporal server or to its database, and restore the run from a backup, or terminate it (docs/secure.md).',
  );
}

export function notEncrypted(): DecryptionError {
  return new DecryptionError(
    'The payload is not encrypted, and the key ring refuses what is not.',
    'Send it again encrypted and terminate this run, or let the ring accept it again: codec plain FILE accept (docs/secure.md).',
  );
}
