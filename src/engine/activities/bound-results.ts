import { jsonByteLength } from '../core/byte-length.js';
import { FailureType } from '../core/failures.js';
import type { Activity, ActivityGroups, ActivityKind, Group } from './activity-groups.js';
import { toApplicationFailure } from '../http/api-failure.js';

/** Largest result of an activity. Histories keep it, and replays load it. */
const MAX_BYTES = 65_536;

/** Results that are larger by design, each with a limit of its own. */
const LARGER: ReadonlyMap<string, number> = new Map([
  // 500 kB of keys; see ssh-keys.ts.
  ['listSshKeyPage', 600_000],
  // A page of 1,000 flavors.
  ['listFlavors', 400_000],
  ['listAvailableFlavors', 400_000],
  // The ranges of a manifest; the number of chunks is limited where the manifest is read.
  ['scanKvManifest', 1_000_000],
  ['surveyKvManifest', 1_000_000],
  // 100 keys of the input.
  ['findKvDatatypes', 400_000],
]);

/** What a mutation has done is unknown when its answer does not fit. The others may look again. */
const TYPE_OF = {
  reads: FailureType.unexpectedResponse,
  longReads: FailureType.unexpectedResponse,
  polls: FailureType.unexpectedResponse,
  deletes: FailureType.unexpectedResponse,
  mutations: FailureType.outcomeUnknown,
  convergent: FailureType.outcomeUnknown,
} as const satisfies Record<ActivityKind, FailureType>;

/**
 * Activities that fail when a result is too large for a history. Nothing is cut here: a run must not
 * take a part of a list for the whole.
 */
export function boundResults<G extends Required<ActivityGroups>>(groups: G): G;
export function boundResults(groups: Required<ActivityGroups>): Required<ActivityGroups> {
  const bound = (kind: ActivityKind): Group =>
    Object.fromEntries(
      Object.entries(groups[kind]).map(([name, act]) => [name, boundResult(act, { kind, name })]),
    );
  return {
    reads: bound('reads'),
    deletes: bound('deletes'),
    mutations: bound('mutations'),
    convergent: bound('convergent'),
    longReads: bound('longReads'),
    polls: bound('polls'),
  };
}

function boundResult(
  act: Activity,
  { kind, name }: { kind: ActivityKind; name: string },
): Activity {
  const limit = LARGER.get(name) ?? MAX_BYTES;
  return async (input: never) => {
    const result = await act(input);
    const bytes = result === undefined ? 0 : sizeOf(result);
    if (bytes <= limit) return result;
    const size = bytes === Infinity ? 'is nested too deeply' : `has ${bytes} bytes`;
    const type = TYPE_OF[kind];
    throw toApplicationFailure({
      type,
      message: `What the API answered to ${name} ${size}; a run can take ${limit} bytes`,
      details: {},
      repeatable: type === FailureType.unexpectedResponse,
    });
  };
}

function sizeOf(result: unknown): number {
  try {
    return jsonByteLength(result);
  } catch {
    return Infinity;
  }
}
