import type { Simulator } from '../../../src/simulator/index.js';
import { pass, type Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import type { SimulatedProcess } from '../time/processes.js';
import type { Chaos } from '../world/chaos.js';
import type { CallRecord } from '../world/records.js';
import type { Story } from '../world/story.js';
import { parse, type Answer, type Reply } from './api-answer.js';
import { shortPath, type ApiCall } from './api-call.js';
import { createOddities } from './oddities.js';
import { createWay, loseAnswer, type Trouble } from './on-the-way.js';

export interface TravelOptions {
  simulator: Simulator;
  clock: Clock;
  /** The time by the clock of the API. */
  apiNow: () => number;
  draw: Draw;
  chaos: Chaos;
  story: Story;
  /** Whether nothing goes between this process and the API now. Undefined: a caller outside of all processes. */
  isCut?: (process: SimulatedProcess | undefined) => boolean;
  /** Hears of every call that the API has dealt with, at that moment. */
  onCall?: (record: CallRecord) => void;
  /** Shortest and longest time of each way. */
  apiDelayMs?: readonly [least: number, most: number];
}

const DELAY_MS = [5, 80] as const;

/** The journey of a call, there and back. `landed` is called once, when the API has dealt with it or never will. */
export function createTravel(options: TravelOptions) {
  const { clock, draw, isCut = () => false, apiDelayMs: [least, most] = DELAY_MS } = options;
  const way = createWay(options);
  const serve = createServe(options);
  const tell = createTeller(options);
  const arriveLater = (call: ApiCall, ms: number, landed: () => void): void => {
    tell(call, [`HELD ON ITS WAY FOR ${seconds(ms)}`]);
    clock.after(ms, () => {
      void serve(call, { isLate: true, says: [] }).finally(landed);
    });
  };
  /** What the caller hears of a call that does not get through; undefined: it gets through. */
  const stop = (
    call: ApiCall,
    trouble: Trouble | undefined,
    landed: () => void,
  ): Reply | undefined => {
    if (trouble === undefined) return undefined;
    if (trouble.kind === 'late') {
      arriveLater(call, trouble.ms, landed);
      return { kind: 'hung' };
    }
    landed();
    tell(call, [trouble.says]);
    if (trouble.kind === 'refused') options.onCall?.(recordOf(clock, call, trouble.reply));
    return trouble.reply;
  };
  return async (call: ApiCall, landed: () => void): Promise<Reply> => {
    sentAt.set(call, clock.now());
    const chance = draw.fork(call.occasion);
    const [there, here] = [chance.number(least, most), chance.number(least, most)];
    const trouble = way.trouble(call);
    await pass(clock, there);
    const cut = isCut(call.process) ? CUT_OFF : trouble;
    const stopped = stop(call, cut, landed);
    const slowMs = stopped === undefined ? way.slowness(call) : 0;
    const says = slowMs === 0 ? [] : [`ANSWER TAKES ${seconds(slowMs)}`];
    const reply = stopped ?? (await serve(call, { isLate: false, says }).finally(landed));
    if (reply.kind === 'hung') return reply;
    await pass(clock, here + slowMs);
    if (!isCut(call.process)) return reply;
    tell(call, ['ANSWER CUT OFF']);
    return { kind: 'hung' };
  };
}

/** When each call was sent. */
const sentAt = new WeakMap<ApiCall, number>();

const CUT_OFF: Trouble = { kind: 'lost', reply: { kind: 'hung' }, says: 'CUT OFF' };

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

interface Arrival {
  isLate: boolean;
  /** What has gone wrong already. */
  says: readonly string[];
}

/** The API, and what is odd about it. */
function createServe(options: TravelOptions) {
  const { simulator, clock, chaos, onCall } = options;
  const oddities = createOddities(options);
  const tell = createTeller(options);
  const ask = async (call: ApiCall, body: string | undefined): Promise<Answer> => {
    const { method, headers, url } = call;
    const response = await simulator.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return { kind: 'answer', status: response.status, headers: response.headers, text };
  };
  const carryOut = async (call: ApiCall): Promise<Served> => {
    const refused = oddities.refuse(call);
    if (refused !== undefined) {
      return { ...refused, isReal: false, seen: { hasReachedNothing: true } };
    }
    const { body, says } = oddities.prepare(call);
    const cloudBefore = call.method === 'GET' ? undefined : simulator.snapshot();
    const answer = await ask(call, body);
    const seen = cloudBefore && { cloudBefore, cloudAfter: simulator.snapshot() };
    return { answer, says, isReal: true, seen: seen ?? {} };
  };
  const show = (
    call: ApiCall,
    { answer, isReal }: Served,
  ): { reply: Reply; says: readonly string[] } => {
    const lost = chaos.strikes('lost answer', call.occasion);
    if (lost !== undefined) {
      const { how, reply } = loseAnswer(lost, answer);
      return { reply, says: [`ANSWER LOST (${how})`] };
    }
    if (!isReal) return { reply: answer, says: [] };
    const shown = oddities.show(call, answer);
    return { reply: shown.answer, says: shown.says };
  };
  return async (call: ApiCall, { isLate, says }: Arrival): Promise<Reply> => {
    const served = await carryOut(call);
    onCall?.(Object.assign(recordOf(clock, call, served.answer), served.seen));
    // Nobody sees the answer to a call that arrives late.
    const { reply, says: more } = isLate
      ? { reply: served.answer, says: ['ARRIVED LATE'] }
      : show(call, served);
    tell(call, [String(served.answer.status), ...says, ...served.says, ...more]);
    return reply;
  };
}

interface Served {
  answer: Answer;
  says: readonly string[];
  /** Whether it is the answer of the simulator. */
  isReal: boolean;
  /** The cloud around a call that may have changed it. */
  seen: Pick<CallRecord, 'cloudBefore' | 'cloudAfter' | 'hasReachedNothing'>;
}

function createTeller({ story }: Pick<TravelOptions, 'story'>) {
  return (call: ApiCall, says: readonly string[]): void => {
    story.tell(call.caller, `${call.method} ${shortPath(call)} ${says.join(', ')}`);
  };
}

/** The bodies are read when somebody looks at them: most are never looked at. */
function recordOf(clock: Clock, call: ApiCall, { status, text }: Answer): CallRecord {
  const { method, path, workflowId, body: sent = '' } = call;
  let answer: unknown;
  let body: unknown;
  return {
    at: clock.now(),
    sentAt: sentAt.get(call),
    method,
    path,
    status,
    workflowId,
    actor: undefined,
    get answer() {
      return (answer ??= parse(text));
    },
    get body() {
      return (body ??= parse(sent));
    },
  };
}
