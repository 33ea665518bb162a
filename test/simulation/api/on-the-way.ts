import type { Chaos } from '../world/chaos.js';
import type { Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import { answerOf, brokenBy, refusalOf, type Answer, type Reply } from './api-answer.js';
import type { ApiCall } from './api-call.js';

/** What happens to a call before the API has it. */
export type Trouble =
  | { kind: 'lost'; reply: Reply; says: string }
  /** It arrives after this time; nobody waits for it any more. */
  | { kind: 'late'; ms: number }
  /** The API does nothing of it. */
  | { kind: 'refused'; reply: Answer; says: string };

/** Longest time that a call is on its way. With the longest lag it shows within a grace time of two minutes. */
const MOST_LATE_MS = 60_000;

const LOST_BEFORE = ['reset', 'reset', 'no connection', 'no name', 'silence'] as const;

function loseRequest(draw: Draw): Trouble {
  const how = draw.pick(LOST_BEFORE);
  const says = `LOST BEFORE IT ARRIVED (${how})`;
  switch (how) {
    case 'reset':
      return { kind: 'lost', reply: brokenBy('ECONNRESET'), says };
    case 'no connection':
      return { kind: 'lost', reply: brokenBy('ECONNREFUSED', 'connect'), says };
    case 'no name':
      return { kind: 'lost', reply: brokenBy('ENOTFOUND', 'getaddrinfo'), says };
    case 'silence':
      return { kind: 'lost', reply: { kind: 'hung' }, says };
  }
}

interface Burst {
  until: number;
  refuse: (call: ApiCall) => Answer;
}

function refuse(draw: Draw): Burst['refuse'] {
  const kind = draw.pick(['503', '503', '429', '429 with Retry-After'] as const);
  const seconds = String(draw.number(1, 20));
  return (call) => {
    if (kind === '503') {
      return draw.chance(0.5) ? page(503) : refusalOf(call, 503, 'Service Unavailable');
    }
    const reply = refusalOf(call, 429, 'Too many requests');
    if (kind === '429 with Retry-After') reply.headers.set('retry-after', seconds);
    return reply;
  };
}

const PAGE = '<html><head><title>Error</title></head><body>Bad Gateway</body></html>';

function page(status: number): Answer {
  return {
    kind: 'answer',
    status,
    headers: new Headers({ 'content-type': 'text/html' }),
    text: PAGE,
  };
}

/** Says by the clock of the API until when to wait, and what time it is there. */
function sayDate({ headers }: Answer, now: number): void {
  const waitMs = Number(headers.get('retry-after')) * 1_000;
  headers.set('date', new Date(now).toUTCString());
  headers.set('retry-after', new Date(now + waitMs).toUTCString());
}

export interface WayOptions {
  chaos: Chaos;
  clock: Clock;
  /** The time by the clock of the API. */
  apiNow: () => number;
}

/** The way to the API. */
export function createWay({ chaos, clock, apiNow }: WayOptions) {
  const bursts = new Map<string, Burst>();
  const toRefused = (call: ApiCall, burst: Burst): Trouble => {
    const reply = burst.refuse(call);
    const isDated =
      reply.headers.has('retry-after') && chaos.strikes('date to wait for', call.occasion);
    if (isDated) sayDate(reply, apiNow());
    return {
      kind: 'refused',
      reply,
      says: `${reply.status} REFUSED${isDated ? ' UNTIL A DATE' : ''}`,
    };
  };
  const refused = (call: ApiCall): Trouble | undefined => {
    const going = bursts.get(call.area);
    if (going !== undefined && clock.now() < going.until) return toRefused(call, going);
    const draw = chaos.strikes('refused call', call.occasion);
    if (draw === undefined) return undefined;
    // Most bursts are one call long.
    const ms = draw.chance(0.6) ? 0 : draw.number(500, 8_000);
    const burst = { until: clock.now() + ms, refuse: refuse(draw) };
    bursts.set(call.area, burst);
    return toRefused(call, burst);
  };
  return {
    trouble(call: ApiCall): Trouble | undefined {
      const lost = chaos.strikes('lost request', call.occasion);
      if (lost !== undefined) return loseRequest(lost);
      const late = call.isMutation ? chaos.strikes('late call', call.occasion) : undefined;
      if (late !== undefined) return { kind: 'late', ms: late.number(1_000, MOST_LATE_MS) };
      return refused(call);
    },
    /** How much longer the answer takes. */
    slowness(call: ApiCall): number {
      const draw = chaos.strikes('slow answer', call.occasion);
      return draw === undefined ? 0 : draw.number(3_000, 16_000);
    },
  };
}

const LOST_AFTER = ['reset', 'silence', 'page of a gateway', 'error of a gateway', 'cut'] as const;

/** An answer that does not arrive as it was sent, although the API has done what it was asked. */
export function loseAnswer(draw: Draw, answer: Answer): { reply: Reply; how: string } {
  const drawn = draw.pick(LOST_AFTER);
  const how = drawn === 'cut' && answer.text.length < 2 ? 'reset' : drawn;
  return { how, reply: lostBy(how, draw, answer) };
}

function lostBy(how: (typeof LOST_AFTER)[number], draw: Draw, answer: Answer): Reply {
  switch (how) {
    case 'reset':
      return brokenBy('ECONNRESET');
    case 'silence':
      return { kind: 'hung' };
    case 'page of a gateway':
      return page(draw.pick([502, 504]));
    case 'error of a gateway':
      return answerOf(502, { message: 'Bad Gateway' });
    case 'cut': {
      const length = draw.number(1, answer.text.length - 1);
      return { ...answer, text: answer.text.slice(0, length) };
    }
  }
}
