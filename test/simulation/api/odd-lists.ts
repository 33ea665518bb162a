import type { Draw } from '../time/draw.js';
import { refusalOf, rowsOf, withRows } from './api-answer.js';
import type { ApiCall } from './api-call.js';
import type { Changed, JsonAnswer, Odd, OddityOptions } from './oddity.js';

const NOT_FOUND: Readonly<Record<string, (call: ApiCall) => string>> = {
  cloud: ({ last }) => `${last} is not found`,
  streaming: () => 'Record not found',
  storage: () => 'not found',
};

/** Longest time that something which is there is not found by its id: less than the grace time. */
const MOST_GONE_MS = 110_000;

const KINDS = ['not found once', 'empty list', 'short list'] as const;

/** What is there does not show, once for each caller: two such answers would be a proof. */
export function oddAbsences({ chaos, clock }: OddityOptions): Odd {
  const misled = new Set<string>();
  /** Until when something is not found, by its path. */
  const gone = new Map<string, number>();
  const isOn = KINDS.some((kind) => chaos.isOn(kind));
  const mislead = (call: ApiCall, kind: (typeof KINDS)[number]): Draw | undefined => {
    const draw = misled.has(call.caller) ? undefined : chaos.strikes(kind, call.occasion);
    if (draw !== undefined) misled.add(call.caller);
    return draw;
  };
  const isGone = (call: ApiCall): boolean => {
    if (clock.now() < (gone.get(call.path) ?? 0)) {
      misled.add(call.caller);
      return true;
    }
    const draw = mislead(call, 'not found once');
    // Mostly one answer, else all of them for a while.
    if (draw?.chance(0.3) === true) gone.set(call.path, clock.now() + draw.number(1, MOST_GONE_MS));
    return draw !== undefined;
  };
  const shorten = (call: ApiCall, json: unknown, rows: readonly unknown[]): Changed | undefined => {
    if (rows.length === 0) return undefined;
    if (mislead(call, 'empty list') !== undefined) {
      const empty = withRows(json, []);
      return { json: hasCount(empty) ? { ...empty, count: 0 } : empty, says: 'SHOWN AS EMPTY' };
    }
    const draw = mislead(call, 'short list');
    if (draw === undefined) return undefined;
    const left = draw.number(0, rows.length - 1);
    const says = `ROW ${left + 1} OF ${rows.length} MISSING`;
    return { json: withRows(json, rows.toSpliced(left, 1)), says };
  };
  return {
    changes: ({ method }) => isOn && method === 'GET',
    change({ call, json }): Changed | undefined {
      if (!call.isOfOne) return shorten(call, json, rowsOf(json) ?? []);
      if (!isGone(call)) return undefined;
      const text = NOT_FOUND[call.area]?.(call) ?? 'not found';
      return { answer: refusalOf(call, 404, text), says: 'SHOWN AS 404' };
    },
  };
}

function hasCount(json: unknown): json is { count: unknown } {
  return typeof json === 'object' && json !== null && 'count' in json;
}

/** From some list on, the API gives fewer rows at once than are asked for. */
export function shortPages({ chaos }: OddityOptions): Odd {
  let most: number | undefined;
  return {
    changes: ({ method, query }) =>
      method === 'GET' && chaos.isOn('short pages') && query.includes('limit='),
    change({ call, json }: JsonAnswer): Changed | undefined {
      const rows = rowsOf(json) ?? [];
      if (rows.length < 2 || !hasCount(json)) return undefined;
      most ??= chaos.strikes('short pages', call.occasion)?.number(1, 3);
      if (most === undefined || rows.length <= most) return undefined;
      const { count } = json;
      const page = withRows(json, rows.slice(0, most));
      return { json: Object.assign(Object(page), { count }), says: `A PAGE OF ${most}` };
    },
  };
}

/** A list has one of its rows twice, once for each caller. Its count may count that, or not. */
export function repeatedRows({ chaos }: OddityOptions): Odd {
  const misled = new Set<string>();
  return {
    changes: ({ method, isOfOne }) => method === 'GET' && !isOfOne && chaos.isOn('row twice'),
    change({ call, json }: JsonAnswer): Changed | undefined {
      const rows = rowsOf(json) ?? [];
      // On one page of several it would move the rows of the others.
      const isWhole = !hasCount(json) || json.count === rows.length;
      if (rows.length === 0 || !isWhole || misled.has(call.caller)) return undefined;
      const draw = chaos.strikes('row twice', call.occasion);
      if (draw === undefined) return undefined;
      misled.add(call.caller);
      const [from, to] = [draw.number(0, rows.length - 1), draw.number(0, rows.length)];
      const list = withRows(json, rows.toSpliced(to, 0, structuredClone(rows[from])));
      const says = `ROW ${from + 1} OF ${rows.length} TWICE`;
      if (!hasCount(json) || draw.chance(0.5)) return { json: list, says };
      return { json: Object.assign(Object(list), { count: json.count }), says };
    },
  };
}

/** Lists come in another order each time, unless the call asks for one. */
export function oddOrder({ chaos }: OddityOptions): Odd {
  return {
    changes: ({ method, query }) =>
      method === 'GET' && chaos.isOn('other order') && !query.includes('order_by='),
    change({ call, json }: JsonAnswer): Changed | undefined {
      const rows = rowsOf(json) ?? [];
      const draw = rows.length > 1 ? chaos.strikes('other order', call.occasion) : undefined;
      if (draw === undefined) return undefined;
      return { json: withRows(json, draw.shuffled(rows)), says: 'IN ANOTHER ORDER' };
    },
  };
}
