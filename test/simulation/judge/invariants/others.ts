import type { Act, Facts } from '../facts/facts.js';
import type { RowRef } from '../facts/rows.js';
import type { Broken } from '../promises/promise.js';

/** Who counts as somebody else, and in which time. */
export interface Window {
  /** Acts of these runs are its own. */
  isOwn: (act: Act) => boolean;
  from: number;
  to: number;
}

/** How long before its last read a run may have looked at something for the last time. */
const LOOKS_APART_MS = { actor: 10 * 60_000, run: 60_000 } as const;

/**
 * Whether somebody else has changed one of these while the run was at it. Another actor counts longer than another run:
 * runs that change the same thing take turns, so a run sees what the one before it has done.
 */
export function areExcused(facts: Facts, refs: Broken['about'], window: Window): boolean {
  return refs.some((ref) =>
    facts.actsOn(ref).some((act) => isOther(act, window) && changes(act, ref)),
  );
}

function isOther(act: Act, { isOwn, from, to }: Window): boolean {
  if (isOwn(act)) return false;
  const apart = act.call.actor === undefined ? LOOKS_APART_MS.run : LOOKS_APART_MS.actor;
  return act.at <= to && act.endsAt >= from - apart;
}

/** A row that was made or deleted differs as a whole. */
function changes(
  { effects, isFailed }: Act,
  ref: RowRef & { fields?: readonly string[] },
): boolean {
  return effects.some(
    ({ rows, id, does, fields }) =>
      rows === ref.rows &&
      id === ref.id &&
      (does !== 'changes' ||
        (!isFailed &&
          (fields === undefined ||
            ref.fields === undefined ||
            fields.some((field) => ref.fields?.includes(field))))),
  );
}

/** When a run last looked at the API before its end. */
export function lastLookOf(
  facts: Facts,
  { workflowId, closedAt }: { workflowId: string; closedAt: number | undefined },
): number {
  const end = closedAt ?? Infinity;
  const looks = facts.callsOf(workflowId).filter(({ at, method }) => method === 'GET' && at <= end);
  return looks.at(-1)?.at ?? end;
}
