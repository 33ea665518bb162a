import type { SimulatorState } from '../../../src/simulator/index.js';
import { canonicalAddress } from '../../../src/contract/wire/address.js';
import { operationOfId } from '../../../src/contract/wire/names.js';
import type { CallRecord, Finding } from '../world/records.js';
import { effectsOf, pathOf, wasCarriedOut } from './facts/effects.js';
import {
  type Effect,
  isAliveIn,
  keyOf,
  nameOf,
  type RowKind,
  type Rows,
  rowOf,
} from './facts/rows.js';
import { parsed, textAt, textsAt } from './facts/values.js';

/** Looks after each change whether a request has two of what it makes. */
export interface AliveWatch {
  /** @param cloud right after the call */
  see(call: CallRecord, cloud: SimulatorState): void;
  /** Looks once more, such as at the end. */
  look(cloud: SimulatorState): void;
  findings(): readonly Finding[];
}

/** What a call of a run has made. */
interface Making {
  workflowId: string;
  /** Calls that make the same for one request are repeats. */
  request: string;
  /** What cannot be there twice, whoever asks for it. */
  identity: string | undefined;
  made: { rows: RowKind; id: string }[];
}

/** Each has a life of its own: a machine that others delete leaves them. */
const PARTS: ReadonlySet<RowKind> = new Set(['floatingIps']);
/** Each of its lines is a request of its own. */
const BULK = /^\/streaming\/videos(?:\/batch)?$/;

export function createAliveWatch(): AliveWatch {
  const makings: Making[] = [];
  const ofOthers = new Set<string>();
  const findings = new Map<string, Finding>();
  const look = (cloud: SimulatorState): void => {
    const lives = (row: Making['made'][number]): boolean => isCounted(row) && isAliveIn(cloud, row);
    const alive = makings.filter(({ made }) => made.some(lives));
    const isRest = ({ made: [main] }: Making): boolean => main !== undefined && !lives(main);
    for (const twin of twinsOf(alive, isRest)) {
      if (!findings.has(twin.key)) findings.set(twin.key, findingOf(twin));
    }
  };
  const isCounted = (row: { rows: RowKind; id: string }): boolean => !ofOthers.has(keyOf(row));
  return {
    see(call, cloud) {
      if (!wasCarriedOut(call)) return;
      const effects = effectsOf(call, { tasks: tasksIn(cloud, call), cloud });
      const making = makingOf(call, effects);
      if (making === undefined) leaveToOthers(effects, { call, makings, ofOthers, cloud });
      else makings.push(making);
      look(cloud);
    },
    look,
    findings: () => [...findings.values()],
  };
}

function tasksIn({ tasks }: SimulatorState, { answer }: CallRecord): Map<string, Rows['tasks']> {
  const started = textsAt(answer, 'tasks');
  return new Map(tasks.filter(({ id }) => started.includes(id)).map((task) => [task.id, task]));
}

function makingOf(call: CallRecord, effects: readonly Effect[]): Making | undefined {
  const { workflowId, actor } = call;
  const path = pathOf(call.path);
  if (actor !== undefined || workflowId === undefined || BULK.test(path)) return undefined;
  const made = effects.filter(({ does, rows }) => does === 'makes' && !PARTS.has(rows));
  const [first] = made;
  if (first === undefined) return undefined;
  return {
    workflowId,
    request: `${workflowId} ${first.rows}`,
    identity: identityOf(first.rows, parsed(call.body), workflowId),
    made: made.map(({ rows, id }) => ({ rows, id })),
  };
}

/** What one line of one batch makes, in all its tries and wherever it stands. */
const LINE = /-item-\d+$/;
/** Each run of a schedule is a request of its own, also one for a batch. */
const TIME_OF_SCHEDULE = /-\d{4}-\d\d-\d\dT[\d:]+Z/;

/** Two runs that ask for one of these take turns, and the second finds what the first has made. */
function identityOf(rows: RowKind, body: unknown, workflowId: string): string | undefined {
  if (rows === 'ddosProfiles') {
    const address = textAt(body, 'ip_address');
    return address && `${rows} ${canonicalAddress(address)}`;
  }
  const name = textAt(body, 'name');
  const isUnique = rows === 'kvStores' || rows === 'sshKeys' || rows === 'sftpStorages';
  if (name && isUnique) return `${rows} ${name}`;
  const [time = ''] = TIME_OF_SCHEDULE.exec(workflowId) ?? [];
  return name && LINE.test(name) ? `${rows} ${name}${time}` : undefined;
}

/** Somebody else has changed it, or taken away what it was a part of: from now on it is theirs. */
function leaveToOthers(
  effects: readonly Effect[],
  {
    call,
    makings,
    ofOthers,
    cloud,
  }: { call: CallRecord; makings: readonly Making[]; ofOthers: Set<string>; cloud: SimulatorState },
): void {
  for (const effect of effects) {
    const making = makings.find(({ made }) =>
      made.some((row) => row.rows === effect.rows && row.id === effect.id),
    );
    if (making === undefined || isSameFamily(call.workflowId, making.workflowId)) continue;
    ofOthers.add(keyOf(effect));
    if (effect.rows !== 'instances' || effect.does !== 'deletes') continue;
    for (const part of making.made) {
      if (part.rows === 'volumes' && rowOf(cloud, 'volumes', part.id)) ofOthers.add(keyOf(part));
    }
  }
}

function isSameFamily(one: string | undefined, other: string): boolean {
  return (
    one !== undefined && (`${other}/`.startsWith(`${one}/`) || `${one}/`.startsWith(`${other}/`))
  );
}

interface Twin {
  key: string;
  /** Only parts of the first are there, such as a volume of an instance that was not made. */
  isRest: boolean;
  first: Making;
  second: Making;
}

function twinsOf(alive: readonly Making[], isRest: (making: Making) => boolean): Twin[] {
  const found: Twin[] = [];
  const seen = new Map<string, Making>();
  for (const making of alive) {
    for (const key of [making.request, making.identity]) {
      if (key === undefined) continue;
      const first = seen.get(key);
      if (first === undefined) seen.set(key, making);
      else found.push({ key, first, second: making, isRest: isRest(first) });
    }
  }
  return found;
}

/** What it says of a rest beside what was made then. */
const REST = 'the rest of a call of';

/** Whether a finding is of a rest: the input may ask to keep that. */
export function isOfRest({ says }: Finding): boolean {
  return says.includes(REST);
}

function findingOf({ first, second, isRest }: Twin): Finding {
  const rows = second.made[0]?.rows ?? 'instances';
  const operation = operationOfId(second.workflowId) ?? 'a run';
  const isOne = first.workflowId === second.workflowId;
  const ids = [first, second].map(({ made }) => made[0]?.id).join(' and ');
  const makers = isOne ? 'one request' : `two requests for the same thing`;
  return {
    invariant: 'two alive',
    workflowId: second.workflowId,
    says: `${operation}: a second ${nameOf(rows)} of ${makers} exists beside ${isRest ? `${REST} it` : 'the first one'} (${ids}; ${first.workflowId}). There must be one.`,
  };
}
