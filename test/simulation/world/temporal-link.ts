import { deliveredTo, type Link } from '../core/link.js';
import { GrpcError, type RpcCall, type SimulatedServer } from '../temporal/create-server.js';
import { pass, type Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import type { SimulatedProcess } from '../time/processes.js';
import type { Chaos } from './chaos.js';
import type { Story } from './story.js';

/** Whether this answer is lost on its way, and nothing else. */
export type LosesAnswer = (
  call: RpcCall,
  answer: object,
  from: SimulatedProcess | undefined,
) => boolean;

export interface TemporalLinkOptions {
  server: SimulatedServer;
  /** The process of the server. */
  temporal: SimulatedProcess;
  clock: Clock;
  draw: Draw;
  chaos: Chaos;
  story: Story;
  /** Whether this process reaches the server now. */
  isCut: (from: SimulatedProcess | undefined) => boolean;
  /** Told after the server has answered. */
  onAnswer?: (call: RpcCall, from: SimulatedProcess | undefined) => void;
  losesAnswer?: LosesAnswer | undefined;
}

const UNAVAILABLE = 14;
/** A connection without an answer is given up after this time, as gRPC's keep-alive does. */
const GIVEN_UP_AFTER_MS = 45_000;
/** The SDK repeats a completion for ten seconds and drops it then. */
const LOST_FOR_MS = 12_000;
/** A call that the server has not begun after this time, it drops. */
const BEGUN_WITHIN_MS = 10_000;

const COMPLETIONS: ReadonlySet<string> = new Set([
  'RespondActivityTaskCompleted',
  'RespondActivityTaskFailed',
]);

/** The way between the processes and the Temporal server: short, until chaos says otherwise. */
export function createTemporalLink(options: TemporalLinkOptions): Link {
  const { server, temporal, clock, draw, chaos, isCut, onAnswer } = options;
  const counts = new Map<string, number>();
  const lostUntil = new Map<SimulatedProcess, number>();
  const travel = (): Promise<void> => pass(clock, 1 + draw.fraction() * 4);
  const isLost = (call: RpcCall, from: SimulatedProcess | undefined): boolean => {
    if (from === undefined || !COMPLETIONS.has(call.rpc)) return false;
    if ((lostUntil.get(from) ?? 0) > clock.now()) return true;
    const occasion = `${from.name} ${call.rpc} #${count(counts, `${from.name} ${call.rpc}`)}`;
    if (chaos.strikes('lost completion', occasion) === undefined) return false;
    options.story.tell(from.name, 'LOSES what it reports for ten seconds');
    lostUntil.set(from, clock.now() + LOST_FOR_MS);
    return true;
  };
  const trouble = createTrouble(options);
  const awake = async (): Promise<void> => {
    const since = clock.now();
    await new Promise<void>((resolve) => {
      temporal.deliver(resolve);
    });
    if (clock.now() - since > BEGUN_WITHIN_MS) throw unavailable();
  };
  const carry = async (call: RpcCall, from: SimulatedProcess | undefined): Promise<object> => {
    await travel();
    if (temporal.state === 'frozen') await awake();
    const { isRefused, losesAnswer } = trouble(call, from);
    if (isCut(from) || isLost(call, from) || isRefused) {
      await pass(clock, draw.number(100, 2_000));
      throw unavailable();
    }
    const answer = await ask(server, call, from);
    onAnswer?.(call, from);
    await travel();
    if (losesAnswer || options.losesAnswer?.(call, answer, from) === true) throw unavailable();
    await queued(call, from);
    if (isCut(from)) {
      // The server has answered, and believes that it was heard.
      await pass(clock, GIVEN_UP_AFTER_MS);
      throw unavailable();
    }
    return answer;
  };
  const queued = async (call: RpcCall, from: SimulatedProcess | undefined): Promise<void> => {
    if (from === undefined || !call.rpc.startsWith('Poll')) return;
    const name = `${from.name} ${call.rpc}`;
    const strike = chaos.strikes('long queue', `${name} #${count(counts, name)}`);
    if (strike !== undefined) await pass(clock, strike.number(500, 90_000));
  };
  return { call: (call, from) => deliveredTo(from, () => carry(call, from)) };
}

/** What the server refuses, and what it says in vain. The SDK repeats both. */
function createTrouble({ chaos, clock, story }: TemporalLinkOptions) {
  const counts = new Map<string, number>();
  let listsFrom = 0;
  return ({ rpc }: RpcCall, from: SimulatedProcess | undefined) => {
    const who = from?.name ?? 'a client';
    const occasion = `${who} ${rpc} #${count(counts, `${who} ${rpc}`)}`;
    const says = (what: string) => {
      story.tell(who, `${rpc} ${what}`);
      return true;
    };
    if (LISTS.test(rpc)) {
      const away = chaos.strikes('no lists of runs', occasion, 4);
      if (away !== undefined) listsFrom = clock.now() + away.number(1_000, 180_000);
      if (clock.now() < listsFrom) return { isRefused: says('is away'), losesAnswer: false };
    }
    // Who cannot connect begins again, which is not told here.
    if (CONNECTING.has(rpc)) return NO_TROUBLE;
    const isRefused = chaos.strikes('refused RPC', occasion) !== undefined && says('is REFUSED');
    const losesAnswer =
      chaos.strikes('lost RPC answer', occasion) !== undefined && says('loses its ANSWER');
    return { isRefused, losesAnswer };
  };
}

const CONNECTING: ReadonlySet<string> = new Set(['GetSystemInfo', 'DescribeNamespace']);
const NO_TROUBLE = { isRefused: false, losesAnswer: false };
const LISTS = /^(?:List|Count)WorkflowExecutions$/;

/** The server forgets a poll whose connection the kernel of a killed process has closed; after a loss of power it does not. */
async function ask(
  server: SimulatedServer,
  call: RpcCall,
  from: SimulatedProcess | undefined,
): Promise<object> {
  if (from === undefined || !call.rpc.startsWith('Poll')) return server.call(call);
  const open = new AbortController();
  const close = (): void => {
    open.abort();
  };
  const forget = from.onKill(close);
  call.signal?.addEventListener('abort', close, { once: true });
  if (call.signal?.aborted === true) close();
  try {
    return await server.call({ ...call, signal: open.signal });
  } finally {
    forget();
    call.signal?.removeEventListener('abort', close);
  }
}

function unavailable(): GrpcError {
  return new GrpcError(UNAVAILABLE, 'the simulated network is down');
}

function count(counts: Map<string, number>, name: string): number {
  const next = (counts.get(name) ?? 0) + 1;
  counts.set(name, next);
  return next;
}
