import type { Simulator } from '../../../src/simulator/index.js';
import { isRow, rowsOf, type Row } from './api-answer.js';
import type { ApiCall } from './api-call.js';
import type { Changed, JsonAnswer, Odd, OddityOptions } from './oddity.js';

const MADE = {
  volumes: /^\/cloud\/v1\/volumes\//,
  snapshots: /^\/cloud\/v1\/snapshots\//,
} as const;
type Kind = keyof typeof MADE;

/** Share of the task errors that are only an impression. */
const SHARE = 0.3;

/** A volume or a snapshot that shows the status `error` once, and is sound when its task has ended. */
interface Impression {
  kind: Kind;
  /** What was there before. */
  known: ReadonlySet<string>;
}

/**
 * Of what fails, some only looks so: the thing that a create makes shows `error` in one answer. A strike of the kind
 * `task error` decides it before that of the task.
 */
export function falseErrors({ chaos, simulator }: OddityOptions): Odd {
  let open: Impression[] = [];
  const spoil = ({ kind, known }: Impression, answer: JsonAnswer): boolean => {
    const row = rowsIn(answer).find(({ id }) => typeof id === 'string' && !known.has(id));
    if (row === undefined || !MADE[kind].test(answer.call.template)) return false;
    row['status'] = 'error';
    return true;
  };
  return {
    prepare(call) {
      const kind = kindOf(call);
      if (kind === undefined) return undefined;
      const occasion = `${call.occasion}, an impression`;
      if (chaos.strikes('task error', occasion, SHARE) === undefined) return undefined;
      open.push({ kind, known: idsOf(simulator, kind) });
      return { says: 'WILL SHOW AS error ONCE' };
    },
    changes: ({ method }) => method === 'GET' && open.length > 0,
    change(answer): Changed | undefined {
      const due = open.find((impression) => spoil(impression, answer));
      if (due === undefined) return undefined;
      open = open.filter((impression) => impression !== due);
      return { json: answer.json, says: 'SHOWN AS error' };
    },
  };
}

function kindOf({ method, template }: ApiCall): Kind | undefined {
  if (method !== 'POST') return undefined;
  if (template === '/cloud/v1/volumes/…/…') return 'volumes';
  return template === '/cloud/v1/snapshots/…/…' ? 'snapshots' : undefined;
}

function idsOf(simulator: Simulator, kind: Kind): ReadonlySet<string> {
  return new Set(simulator.snapshot()[kind].map(({ id }) => id));
}

function rowsIn({ call, json }: JsonAnswer): Row[] {
  return (call.isOfOne ? [json] : (rowsOf(json) ?? [])).filter(isRow);
}
