import { jsonByteLength } from '../core/text.js';
import { FailureType } from '../core/failures.js';
import type { Activity, ActivityGroups, ActivityKind, Group } from './activity-groups.js';
import { toApplicationFailure } from '../http/describe-failure.js';

/** Largest result of an activity. Histories keep it, and replays load it. */
const MAX_BYTES = 65_536;

type Limits = ReadonlyMap<string, number>;

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
 *
 * @param larger limits in bytes of results that are larger by design, by the name of the activity
 */
export function boundResults<G extends Required<ActivityGroups>>(groups: G, larger?: Limits): G;
export function boundResults(
  groups: Required<ActivityGroups>,
  larger: Limits = new Map(),
): Required<ActivityGroups> {
  const bound = (kind: ActivityKind): Group =>
    Object.fromEntries(
      Object.entries(groups[kind]).map(([name, act]) => [
        name,
        boundResult(act, { kind, name, limit: larger.get(name) ?? MAX_BYTES }),
      ]),
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
  { kind, name, limit }: { kind: ActivityKind; name: string; limit: number },
): Activity {
  return async (input: never) => {
    const result = await act(input);
    const bytes = result === undefined ? 0 : sizeOf(result);
    if (bytes <= limit) return result;
    const size = bytes === Infinity ? 'is nested too deeply' : `has ${bytes} bytes`;
    throw toApplicationFailure({
      type: TYPE_OF[kind],
      message: `What the API answered to ${name} ${size}; a run can take ${limit} bytes`,
      details: {},
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
