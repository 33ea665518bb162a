import type { HttpBindings } from '@hono/node-server';

import type { Middleware } from './middleware.js';
import { ProblemError, type Problem } from './problem.js';
import { Scope, type Caller } from '../tokens/token-file.js';

/**
 * Who shares the seats of a kind of caller, after the example of kube-apiserver's priority and fairness: strangers
 * take none from callers with a token, and those none from the operators who would stop their runs.
 */
export const CallerClass = {
  stranger: 'stranger',
  caller: 'caller',
  operator: 'operator',
} as const;
export type CallerClass = (typeof CallerClass)[keyof typeof CallerClass];

export interface AdmissionLimits {
  /** Requests in flight of each class. An open stream and a long poll have places of their own. */
  seats: Readonly<Record<CallerClass, number>>;
  /** Bytes of all bodies that are in flight. */
  bodyBytes: number;
}

export const GATEWAY_LIMITS: AdmissionLimits = {
  seats: { stranger: 64, caller: 4_000, operator: 4_000 },
  bodyBytes: 64 * 1024 * 1024,
};

/** A token may take so much of the seats of its class: one that is stuck leaves seats for the others. */
const MOST_OF_ONE = 0.5;

export interface Admission {
  /** Takes a seat until the function that it gives is called. @throws ProblemError (503) when all are taken */
  sit: (callerClass: CallerClass, name: string) => () => void;
  /** Counts bytes of bodies, until they are taken off again. @throws ProblemError (503) when there are too many */
  addBytes: (count: number) => void;
}

export function createAdmission({ seats, bodyBytes }: AdmissionLimits): Admission {
  const taken = new Map<string, number>();
  let bytes = 0;
  const add = (key: string, by: 1 | -1): void => {
    const now = (taken.get(key) ?? 0) + by;
    if (now === 0) taken.delete(key);
    else taken.set(key, now);
  };
  return {
    sit(callerClass, name) {
      const [all, own] = [callerClass, `${callerClass} ${name}`];
      const isFull = (taken.get(all) ?? 0) >= seats[callerClass];
      const most = callerClass === CallerClass.stranger ? 1 : MOST_OF_ONE;
      if (isFull || (taken.get(own) ?? 0) >= seats[callerClass] * most)
        throw new ProblemError(BUSY);
      for (const key of [all, own]) add(key, 1);
      let isSeated = true;
      return () => {
        if (!isSeated) return;
        isSeated = false;
        for (const key of [all, own]) add(key, -1);
      };
    },
    addBytes(count) {
      if (count > 0 && bytes + count > bodyBytes) throw new ProblemError(BUSY);
      bytes += count;
    },
  };
}

/** Gives the bytes of a body back when its request has an answer. */
export function countBodies({ addBytes }: Admission): Middleware {
  return async (c, next) => {
    let own = 0;
    c.set('addBodyBytes', (count) => {
      addBytes(count);
      own += count;
    });
    try {
      await next();
    } finally {
      addBytes(-own);
    }
  };
}

/** One seat for each request, from here on. A route that waits for long leaves it. */
export function admit({ sit }: Admission): Middleware {
  return async (c, next) => {
    const caller = c.get('caller');
    const leave = sit(classOf(caller), caller.name);
    c.set('leaveSeat', leave);
    try {
      await next();
    } finally {
      leave();
    }
  };
}

function classOf({ scopes }: Caller): CallerClass {
  if (scopes.length === 0) return CallerClass.stranger;
  return scopes.includes(Scope.operate) ? CallerClass.operator : CallerClass.caller;
}

const BUSY: Problem = {
  status: 503,
  code: 'Busy',
  title: 'The gateway is busy',
  detail: 'The gateway has too many requests in flight. Nothing was started or changed.',
  advice: 'Wait as Retry-After says, and send the request again.',
  headers: { 'Retry-After': '1' },
};

/** Two readers of such a request could take it for requests to two hosts. */
export const refuseTwoHosts: Middleware = async (c, next) => {
  // There are none in a call without a port.
  const { incoming }: Partial<HttpBindings> = { ...c.env };
  const names = (incoming?.rawHeaders ?? []).filter((_, at) => at % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
    throw new ProblemError(TWO_HOSTS);
  }
  await next();
};

const TWO_HOSTS: Problem = {
  status: 400,
  code: 'BadRequest',
  title: 'The request names two hosts',
  detail: 'The header Host is there twice. Nothing was started or changed.',
  advice: 'Send one Host header.',
  faults: [{ parameter: 'Host', message: 'is there twice' }],
};
