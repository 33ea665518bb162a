import type { HttpBindings } from '@hono/node-server';
import pLimit, { type LimitFunction } from 'p-limit';

import type { GatewayContext } from './gateway-context.js';
import type { Middleware } from './middleware.js';
import { networkOf } from './network-of.js';
import { ProblemError, type Problem } from './problem.js';
import { PACE, takeRest } from './read-body.js';
import { Scope } from '../tokens/token-file.js';

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
  /** Bytes of the bodies of each class that are in flight: as values, and as what is sent on, each takes ten times as many. */
  bodyBytes: number;
  /** Bytes of answers that nobody has read yet. */
  unreadBytes: number;
}

export const GATEWAY_LIMITS: AdmissionLimits = {
  seats: { stranger: 256, caller: 4_000, operator: 4_000 },
  bodyBytes: 16 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
};

/** What a token, or a stranger's address, may take of its class: one that is stuck leaves seats for the others. */
const MOST_OF_ONE: Readonly<Record<CallerClass, number>> = {
  stranger: 1 / 8,
  caller: 1 / 2,
  operator: 1 / 2,
};

/** Answers with megabytes that are made at once: each is in memory as the server sent it, as values and as text. */
const MOST_LARGE = 8;

/** What the connection has not taken yet of an answer, in bytes. */
type Answer = Pick<HttpBindings['outgoing'], 'writableLength'>;

export interface Admission {
  /**
   * Takes a seat until the function that it gives is called.
   * @param answer what is in memory of it counts as long as the seat is taken
   * @throws ProblemError (503) when all are taken, or nobody reads the answers
   */
  sit: (seat: Seat, answer?: Answer) => () => void;
  /**
   * Makes an answer that may have megabytes when its turn comes: few are made at once, and half of them for one token.
   * @throws ProblemError (503) when the caller has not read those before by then
   */
  makeLarge: <T>(seat: Seat, make: () => Promise<T>) => Promise<T>;
  /** Counts bytes of bodies, until they are taken off again. @throws ProblemError (503) when there are too many */
  addBytes: (seat: Seat, count: number) => void;
}

export interface Seat {
  callerClass: CallerClass;
  /** Of a token, or the address of a stranger. */
  name: string;
}

export function createAdmission({ seats, bodyBytes, unreadBytes }: AdmissionLimits): Admission {
  const taken = new Map<string, Set<Answer>>();
  const bodies = new Map<string, number>();
  const inLine = createLine(MOST_LARGE);
  const sharesOf = ({ callerClass, name }: Seat) =>
    [
      { key: callerClass, share: 1 },
      { key: `${callerClass} ${name}`, share: MOST_OF_ONE[callerClass] },
    ].map(({ key, share }) => ({
      ...{ key, share, answers: taken.get(key) ?? new Set<Answer>() },
      held: bodies.get(key) ?? 0,
    }));
  const refuseUnread = (shares: ReturnType<typeof sharesOf>): void => {
    const isFull = shares.some(({ answers, share }) => unreadOf(answers) > unreadBytes * share);
    if (isFull) throw new ProblemError(BUSY);
  };
  return {
    sit(seat, answer = { writableLength: 0 }) {
      const shares = sharesOf(seat);
      refuseUnread(shares);
      const most = seats[seat.callerClass];
      if (shares.some(({ answers, share }) => answers.size >= most * share))
        throw new ProblemError(BUSY);
      for (const { key, answers } of shares) taken.set(key, answers.add(answer));
      return () => {
        for (const { key, answers } of shares) {
          answers.delete(answer);
          // Somebody may have begun another set since.
          if (answers.size === 0 && taken.get(key) === answers) taken.delete(key);
        }
      };
    },
    makeLarge: (seat, make) =>
      inLine(seat, () => {
        refuseUnread(sharesOf(seat));
        return make();
      }),
    addBytes(seat, count) {
      const shares = sharesOf(seat);
      const isFull = shares.some(({ held, share }) => held + count > bodyBytes * share);
      if (count > 0 && isFull) throw new ProblemError(BUSY);
      for (const { key, held } of shares) {
        if (held + count === 0) bodies.delete(key);
        else bodies.set(key, held + count);
      }
    },
  };
}

/** So many are made at once: those of one token wait in a line of their own, and few of them in that of all. */
export function createLine(most: number): Admission['makeLarge'] {
  const all = pLimit(most);
  const lines = new Map<string, LimitFunction>();
  return ({ callerClass, name }, make) => {
    const key = `${callerClass} ${name}`;
    const own = lines.get(key) ?? pLimit(most * MOST_OF_ONE[callerClass]);
    lines.set(key, own);
    return own(() => all(make));
  };
}

function unreadOf(answers: ReadonlySet<Answer>): number {
  let sum = 0;
  for (const { writableLength } of answers) sum += writableLength;
  return sum;
}

/** Bodies come at this pace, and their bytes count until their requests have answers. */
export function limitBodies({ addBytes }: Admission, pace = PACE): Middleware {
  return async (c, next) => {
    // Nobody reads a body before it is known whose it is.
    let own: { seat: Seat; count: number } | undefined;
    c.set('pace', pace);
    c.set('addBodyBytes', (count) => {
      own ??= { seat: seatOf(c), count: 0 };
      addBytes(own.seat, count);
      own.count += count;
    });
    try {
      await next();
    } finally {
      if (own !== undefined) addBytes(own.seat, -own.count);
    }
    await takeRest(c);
  };
}

/** One seat for each request, until its answer has been read. A route that waits for long leaves it. */
export function admit({ sit, makeLarge }: Admission): Middleware {
  return async (c, next) => {
    const { outgoing }: Partial<HttpBindings> = { ...c.env };
    const seat = seatOf(c);
    const leave = sit(seat, outgoing);
    c.set('leaveSeat', leave);
    c.set('makeLarge', (make) =>
      makeLarge(seat, () => {
        // Whoever has left the line gets nothing made.
        if (outgoing?.destroyed === true) throw new ProblemError(BUSY);
        return make();
      }),
    );
    // There is nothing to read in a call without a port.
    const isRead = outgoing === undefined ? Promise.resolve() : closed(outgoing);
    try {
      await next();
    } finally {
      void isRead.then(leave);
    }
  };
}

/** Also when its connection has been cut. */
function closed(outgoing: HttpBindings['outgoing']): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('close', resolve);
  });
}

function seatOf(c: GatewayContext): Seat {
  const { scopes, name } = c.get('caller');
  if (scopes.length === 0)
    return { callerClass: CallerClass.stranger, name: networkOf(c.get('address')) };
  const isOperator = scopes.includes(Scope.operate);
  return { callerClass: isOperator ? CallerClass.operator : CallerClass.caller, name };
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
