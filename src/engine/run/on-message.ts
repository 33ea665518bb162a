/**
 * The only place that registers handlers of signals, updates and queries. Any client may send anything: what a handler
 * cannot work with would fail the workflow task again and again, and stop the run until another version of the code runs.
 */
import {
  defaultPayloadConverter,
  RawValue,
  rawValueTypeInfo,
  type QueryDefinition,
  type SignalDefinition,
  type TypeInfo,
  type UpdateDefinition,
} from '@temporalio/common';
import { log, setHandler, type ApplicationFailure } from '@temporalio/workflow';

import { FailureType, type Fault } from '../core/failures.js';
import { ARGUMENT, faultsIn, isSound, type Guard } from '../core/guards/guard.js';
import { failure } from './failures.js';

/**
 * Leaves every argument as it came, however many there are: one that the SDK cannot decode would fail the workflow task
 * before any handler sees it.
 */
const inputTypes = new Proxy<readonly TypeInfo[]>([], { get: () => rawValueTypeInfo });
const AS_IT_CAME = { typeInfo: { inputTypes } } as const;

/** Nobody waits for the answer of a signal: an argument that is not sound is ignored, and the log says so. */
export function onSignal<A extends unknown[], T>(
  signal: SignalDefinition<A>,
  guard: Guard<T>,
  take: (argument: T) => void | Promise<void>,
): void {
  setHandler({ ...signal, ...AS_IT_CAME }, (...args: readonly unknown[]) => {
    const argument = argumentOf(args);
    if (isSound(guard, argument)) return take(argument);
    log.warn('A signal was ignored: its argument is not what the signal needs', {
      signal: signal.name,
      faults: faultsOf(guard, argument),
    });
  });
}

export interface UpdateHandler<T, R> {
  act: (request: T) => R | Promise<R>;
  /** Throws when the request does not fit what the run is doing. */
  refuse?: (request: T) => void;
}

/** Refuses an argument that is not sound with every fault by path. It changes nothing, and leaves no event. */
export function onUpdate<A extends unknown[], T, R>(
  update: UpdateDefinition<R, A>,
  guard: Guard<T>,
  { act, refuse }: UpdateHandler<T, R>,
): void {
  const soundOf = (argument: unknown): T => {
    if (isSound(guard, argument)) return argument;
    throw unsoundFailure(update.name, faultsOf(guard, argument));
  };
  setHandler(
    { ...update, ...AS_IT_CAME },
    (...args: readonly unknown[]) => act(soundOf(argumentOf(args))),
    {
      validator: (...args: readonly unknown[]) => {
        const request = soundOf(argumentOf(args));
        refuse?.(request);
      },
    },
  );
}

/** A query has no argument; whatever comes with it is ignored. */
export function onQuery<R>(query: QueryDefinition<R>, answer: () => R): void {
  setHandler({ ...query, ...AS_IT_CAME }, () => answer());
}

/** Stands for what cannot be decoded. Sound only where the argument does not matter. */
const UNDECODABLE = Symbol('undecodable');

function argumentOf([first]: readonly unknown[]): unknown {
  if (!(first instanceof RawValue)) return undefined;
  try {
    // Some clients send `null` where they have nothing to say.
    return defaultPayloadConverter.fromPayload(first.payload) ?? undefined;
  } catch {
    return UNDECODABLE;
  }
}

function faultsOf(guard: Guard<unknown>, argument: unknown): Fault[] {
  if (argument !== UNDECODABLE) return faultsIn(guard, argument);
  return [{ path: ARGUMENT, message: 'cannot be decoded: send it as plain JSON' }];
}

/** Faults that the message repeats. The details have all. */
const MAX_SHOWN = 5;

function unsoundFailure(update: string, faults: Fault[]): ApplicationFailure {
  const shown = faults.slice(0, MAX_SHOWN).map(({ path, message }) => `${path} ${message}`);
  return failure(FailureType.invalidInput, `The update "${update}": ${shown.join('; ')}.`, {
    advice: 'Correct the argument of the update. It changed nothing.',
    faults,
  });
}
