import { cancellationSignal } from '@temporalio/activity';
import type { z } from 'zod';

import type { Fault } from '../../engine/core/failures.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import {
  describeSecret,
  secretPlaces,
  type SecretPlace,
  type SecretRef,
} from '../../contract/wire/secret-ref.js';
import { invalidInput } from '../../engine/activities/run-of-activity.js';
import {
  readSecrets,
  replaceSecrets,
  secretRefsIn,
  type SecretLookup,
  lackFailure,
  type Lack,
  type SecretSource,
} from './secret-source.js';

/** What is to be sent. */
export interface Given<G> {
  /** What messages put before a path in it, such as `line 7, `. */
  at: string;
  value: G;
}

/** What is sent: the values of the secrets stand where their names stood. */
export interface SentForm<G, S extends G> {
  schema: z.ZodType<S>;
  isSent: (given: G) => given is S;
}

export interface Filled<S> {
  sent: S[];
  /** The values of the secrets: no text that leaves the activity may repeat them. */
  secrets: string[];
}

/**
 * Puts the values of secrets where their names stand, just before the call is sent. None of them may leave
 * the activity.
 *
 * Fails as `SecretUnavailable` when a person has to create or mend a secret, as `ServiceUnavailable` when
 * their place does not answer, and as `InvalidInput` when a value does not fit its field.
 */
export async function fillSecrets<G, S extends G>(
  source: SecretSource,
  given: readonly Given<G>[],
  form: SentForm<G, S>,
): Promise<Filled<S>> {
  const refs = secretRefsIn(given);
  const lookup = await readSecrets(source, refs, cancellationSignal());
  refuseLacks(refs, lookup);
  const faults: Fault[] = [];
  const sent = given.flatMap((one) => {
    const filled = fill(one, form, lookup);
    if ('value' in filled) return [filled.value];
    faults.push(...filled.faults);
    return [];
  });
  if (faults.length > 0) throw invalidInput(faults);
  return { sent, secrets: refs.map((ref) => textOf(lookup, ref)) };
}

/** The same for one thing. */
export async function fillOne<G, S extends G>(
  source: SecretSource,
  given: Given<G>,
  form: SentForm<G, S>,
): Promise<{ sent: S; secrets: string[] }> {
  const { sent, secrets } = await fillSecrets(source, [given], form);
  const [one] = sent;
  if (one === undefined) throw new TypeError('one thing was given');
  return { sent: one, secrets };
}

function refuseLacks(refs: readonly SecretRef[], lookup: SecretLookup): void {
  const lacks = refs.flatMap((ref): Lack[] => {
    const read = lookup(ref);
    return read.is === 'found' || read.is === 'unfit' ? [] : [{ ref, read }];
  });
  if (lacks.length > 0) throw lackFailure(lacks);
}

function textOf(lookup: SecretLookup, ref: SecretRef): string {
  const read = lookup(ref);
  return read.is === 'found' ? read.text : '';
}

function fill<G, S extends G>(
  { at, value }: Given<G>,
  { schema, isSent }: SentForm<G, S>,
  lookup: SecretLookup,
): { value: S } | { faults: Fault[] } {
  if (isSent(value)) return { value };
  const places = secretPlaces(value);
  const unfit = places.flatMap(({ path, ref }): Fault[] => {
    const read = lookup(ref);
    return read.is === 'unfit' ? [{ path, message: `${describeSecret(ref)} ${read.why}` }] : [];
  });
  const parsed = parseInput<S>(
    schema,
    replaceSecrets(value, (ref) => textOf(lookup, ref)),
  );
  if (parsed.ok && unfit.length === 0) return { value: parsed.value };
  const faults = parsed.ok || unfit.length > 0 ? unfit : parsed.faults.map(naming(places));
  return { faults: faults.map(({ path, message }) => ({ path: `${at}${path}`, message })) };
}

/** A fault of a value names its secret. What the schema says never shows the value. */
function naming(places: readonly SecretPlace[]): (fault: Fault) => Fault {
  const refs = new Map(places.map(({ path, ref }) => [path, ref]));
  return ({ path, message }) => {
    const ref = refs.get(path);
    return { path, message: ref === undefined ? message : `${describeSecret(ref)} ${message}` };
  };
}
