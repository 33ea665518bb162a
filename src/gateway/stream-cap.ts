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
}

/** Each open stream and each long poll holds a connection: there is a most of them. */
export function createStreamCap({ total, perCaller }: StreamCapOptions): StreamCap {
  const open = new Map<string, number>();
  let all = 0;
  return {
    open: () => all,
    take(caller) {
      const own = open.get(caller) ?? 0;
      if (all >= total || own >= perCaller) throw new ProblemError(tooMany(own >= perCaller));
      all += 1;
      open.set(caller, own + 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        all -= 1;
        const left = (open.get(caller) ?? 1) - 1;
        if (left === 0) open.delete(caller);
        else open.set(caller, left);
      };
    },
  };
}

function tooMany(isOwn: boolean) {
  return {
    status: isOwn ? 429 : 503,
    code: 'TooManyStreams',
    title: 'Too many open streams',
    detail: `${isOwn ? 'This token' : 'The gateway'} has too many open streams and long polls.`,
    advice: 'Close some, or read GET /v1/runs/{id} with If-None-Match instead.',
    headers: { 'Retry-After': '10' },
  };
}
