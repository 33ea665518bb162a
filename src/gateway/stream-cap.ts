import { addTo } from './counts.js';
import { ProblemError } from './problem.js';

export interface StreamCap {
  /** Takes a place and gives the function that frees it. @throws ProblemError (429) when all are taken */
  take: (caller: string) => () => void;
  /** How many are taken. */
  open: () => number;
}

export interface StreamCapOptions {
  /** Of all callers together. */
  total: number;
  perCaller: number;
  /** What is capped, and what to do instead. */
  says?: { what: string; advice: string };
}

const STREAMS = {
  what: 'open streams and long polls',
  advice: 'Close some, or read GET /v1/runs/{id} with If-None-Match instead.',
};

/** Each open stream and each long poll holds a connection: there is a most of them. */
export function createStreamCap({ total, perCaller, says = STREAMS }: StreamCapOptions): StreamCap {
  const open = new Map<string, number>();
  let all = 0;
  return {
    open: () => all,
    take(caller) {
      const own = open.get(caller) ?? 0;
      if (all >= total || own >= perCaller) {
        throw new ProblemError(tooMany(own >= perCaller, says));
      }
      all += 1;
      addTo(open, caller, 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        all -= 1;
        addTo(open, caller, -1);
      };
    },
  };
}

function tooMany(isOwn: boolean, { what, advice }: typeof STREAMS) {
  return {
    status: isOwn ? 429 : 503,
    code: 'TooManyStreams',
    title: `Too many ${what}`,
    detail: `${isOwn ? 'This token' : 'The gateway'} has too many ${what}.`,
    advice,
    headers: { 'Retry-After': '10' },
  };
}
