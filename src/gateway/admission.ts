import type { HttpBindings } from '@hono/node-server';

import { addTo } from './counts.js';
import type { GatewayContext, MakeLarge, ServerBindings } from './gateway-context.js';
import { createLedger, type Answer, type Holding } from './ledger.js';
import { createLine, type Enter } from './line.js';
import type { Middleware } from './middleware.js';
import { networkOf } from './network-of.js';
import { BUSY, ProblemError } from './problem.js';
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
  /** Requests of strangers in flight. Those of tokens are limited by the memory that they take. */
  seats: number;
  memory: MemoryLimits;
}

/** Bytes of memory. Each is a part of its own: what waits for one of them holds none that the others wait for. */
export interface MemoryLimits {
  /** What strangers hold for as long as they like. */
  strangers: number;
  /** The same of callers with a token: bodies as they come, lists that are uploaded, streams, answers that nobody has read yet. */
  tokens: number;
  /** Large bodies as values, and as what is sent on. */
  bodies: number;
  /** Answers with megabytes that are made: each as the server has sent it, as values and as text. */
  reads: number;
}

const MIB = 1_024 ** 2;

/**
 * Together 188 MiB, of the 512 MiB that the container of the chart has: docs/deploy.md. Connections without a seat take 30 more,
 * and requests that wait in connections 15.
 */
export const GATEWAY_LIMITS: AdmissionLimits = {
  seats: 256,
  memory: { strangers: 12 * MIB, tokens: 84 * MIB, bodies: 44 * MIB, reads: 48 * MIB },
};

/** What an address may take of the seats: one that is stuck leaves some for the others. */
const MOST_OF_ADDRESS = 1 / 8;

/** The rest of the memory is for the operators who would stop the runs. */
const SHARE_OF_CALLERS = 15 / 16;

/** A connection with its request and its answer, also a stream that says nothing. */
const SEAT_BYTES = 20 * 1_024;
/** A text as values, and as what is sent on. */
const TIMES_AS_VALUES = 10;
const READ_BYTES = 8 * MIB;

export interface Admission {
  /**
   * Takes a seat until it is left.
   * @param answer what is in memory of it counts as long as the seat is taken
   * @throws ProblemError (503) when all are taken, or too much is held
   */
  sit: (seat: Seat, answer?: Answer) => Sitting;
}

export interface Sitting {
  /** Holds so many bytes more. @throws ProblemError (503) when there are too many */
  hold: (bytes: number) => void;
  /** Waits until a body of so many bytes may become values. @throws ProblemError (503) */
  takeTurn: (bytes: number) => Promise<void>;
  /** Nothing is left of these values. */
  endTurn: () => void;
  /**
   * Makes an answer that may have megabytes when its turn comes: few are made at once, and half of them for one token.
   * @throws ProblemError (503) when the caller has not read those before by then
   */
  makeLarge: MakeLarge;
  leave: () => void;
}

export interface Seat {
  callerClass: CallerClass;
  /** Of a token, or the address of a stranger. */
  name: string;
}

export function createAdmission({ seats, memory }: AdmissionLimits): Admission {
  const take = createSeats(seats);
  const ledgers = {
    strangers: createLedger(memory.strangers),
    tokens: createLedger(memory.tokens),
  };
  const lines = { bodies: createLine(memory.bodies), reads: createLine(memory.reads) };
  return {
    sit(seat, answer = { writableLength: 0 }) {
      const { callerClass } = seat;
      const name = `${callerClass} ${seat.name}`;
      const isStranger = callerClass === CallerClass.stranger;
      const share = callerClass === CallerClass.caller ? SHARE_OF_CALLERS : 1;
      const holding = ledgers[isStranger ? 'strangers' : 'tokens'].open(name, answer, share);
      const standUp = isStranger ? take(name) : (): void => undefined;
      try {
        holding.add(SEAT_BYTES);
      } catch (error) {
        standUp();
        throw error;
      }
      return sittingOf({ name, holding, standUp, lines });
    },
  };
}

interface Seated {
  name: string;
  holding: Holding;
  standUp: () => void;
  lines: { bodies: Enter; reads: Enter };
}

/** Less than a seat takes: what comes in smaller pieces is counted together, because counting looks at all that is held. */
const COUNTED_BYTES = 8 * 1_024;

function sittingOf({ name, holding, standUp, lines }: Seated): Sitting {
  let endTurn = (): void => undefined;
  let uncounted = 0;
  return {
    hold(bytes) {
      uncounted += bytes;
      if (uncounted < COUNTED_BYTES) return;
      const more = uncounted;
      uncounted = 0;
      holding.add(more);
    },
    async takeTurn(bytes) {
      endTurn = await lines.bodies(name, bytes * TIMES_AS_VALUES);
    },
    endTurn() {
      endTurn();
    },
    async makeLarge(make) {
      const leave = await lines.reads(name, READ_BYTES);
      try {
        holding.add(0);
        return await make();
      } finally {
        // By then it counts as unread.
        setImmediate(leave);
      }
    },
    leave() {
      standUp();
      holding.free();
    },
  };
}

/** Takes a seat, and gives the function that gives it back, once. @throws ProblemError (503) */
function createSeats(most: number): (name: string) => () => void {
  const taken = new Map<string, number>();
  let all = 0;
  return (name) => {
    if (all >= most || (taken.get(name) ?? 0) >= most * MOST_OF_ADDRESS)
      throw new ProblemError(BUSY);
    const change = (by: number): void => {
      all += by;
      addTo(taken, name, by);
    };
    change(1);
    let isLeft = false;
    return () => {
      if (!isLeft) change(-1);
      isLeft = true;
    };
  };
}

/** Bodies come at this pace. */
export function paceBodies(pace = PACE): Middleware {
  return async (c, next) => {
    c.set('pace', pace);
    await next();
    await takeRest(c);
  };
}

/** One seat for each request, until its answer has been read, with all that the request makes the gateway hold. */
export function admit({ sit }: Admission): Middleware {
  return async (c, next) => {
    const { incoming, outgoing, sitDown }: Partial<ServerBindings> = { ...c.env };
    const sitting = sit(seatOf(c), outgoing);
    const { hold, takeTurn, endTurn, makeLarge } = sitting;
    const standUp = sitDown?.();
    const leave = (): void => {
      sitting.leave();
      standUp?.();
    };
    c.set('hold', hold);
    c.set('takeTurn', takeTurn);
    c.set('endTurn', endTurn);
    c.set('makeLarge', (make) =>
      makeLarge(() => {
        // Whoever has left the line gets nothing made.
        if (outgoing?.destroyed === true) throw new ProblemError(BUSY);
        return make();
      }),
    );
    // There is nothing to read in a call without a port.
    let isRead = outgoing === undefined;
    let isAnswered = false;
    // Also when its connection has been cut. First of all, because the next request of the connection begins then too.
    outgoing?.prependOnceListener('close', () => {
      isRead = true;
      if (isAnswered) leave();
    });
    try {
      hold(headBytesOf(incoming));
      await next();
    } finally {
      endTurn();
      isAnswered = true;
      if (isRead) leave();
    }
  };
}

/** It stays as long as the request, in a stream for an hour. */
function headBytesOf(incoming: HttpBindings['incoming'] | undefined): number {
  const { url = '', rawHeaders = [] } = incoming ?? {};
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length);
}

function seatOf(c: GatewayContext): Seat {
  const { scopes, name } = c.get('caller');
  if (scopes.length === 0)
    return { callerClass: CallerClass.stranger, name: networkOf(c.get('address')) };
  const isOperator = scopes.includes(Scope.operate);
  return { callerClass: isOperator ? CallerClass.operator : CallerClass.caller, name };
}
