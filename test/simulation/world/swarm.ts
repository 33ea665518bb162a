import { Operation } from '../../../src/contract/wire/names.js';
import type { Draw } from '../time/draw.js';
import { STRIKE_KINDS, type StrikeKind } from './chaos.js';
import { DEFAULT_WORKER_SETTINGS, type WorkerSettings } from './machine-room.js';
import {
  drawCorrected,
  drawRequest,
  inOtherRegion,
  withMakingCall,
  withOtherName,
  withChangedLine,
  withSharedLines,
  type Request,
} from './requests.js';

/** Somebody starts a request. */
export interface PlannedStart {
  atMs: number;
  request: Request;
  /** It is given again with one of its lines changed. */
  isChanged?: true;
}

/** Everything that a seed decides before it begins. */
export interface SeedPlan {
  odds: Partial<Record<StrikeKind, number>>;
  most: number;
  starts: readonly PlannedStart[];
  processes: number;
  settings: WorkerSettings;
  /** Nothing goes wrong after this time. */
  calmAfterMs: number;
}

/** What a range of seeds may be about. */
export interface Focus {
  /** Only requests for these; all when left out. */
  operations?: readonly Operation[];
  /** One request, and the faults that the simplest of all worlds can meet. */
  plain?: boolean;
  /** Only these kinds of strikes. */
  kinds?: readonly StrikeKind[];
  settings?: Partial<WorkerSettings>;
  /** The cloud, the requests and the kinds of strikes of this other seed: only what happens when is drawn anew. */
  planOf?: number | undefined;
}

/** How probable a kind is at one occasion, where it is switched on: rare, often, all the time. */
const STRENGTHS = [0.03, 0.12, 0.4] as const;

/** Occasions of these kinds are many. */
const FREQUENT: Partial<Record<StrikeKind, number>> = {
  'long queue': 0.15,
  'lost completion': 0.5,
  'evicted run': 1,
  'killed process': 0.3,
  'frozen process': 0.3,
  'cut from Temporal': 0.3,
  'cut from the API': 0.3,
  'deployed anew': 0.3,
  'corrected input': 0.5,
  'started again at once': 0.5,
  'repeated at its end': 0.5,
  'reset at once': 0.5,
  'key refused': 0.3,
  maintenance: 0.3,
  'clock set': 0.5,
  'Temporal stands still': 0.2,
  'other region': 0.5,
  'other name': 0.5,
  'making call': 0.5,
};

/** What was added later is drawn for itself, by these names: older seeds stay what they were. */
const NEWER: ReadonlyMap<StrikeKind, string> = new Map([
  ['corrected input', 'newer odds'],
  ['short pages', 'odds of pages'],
  ['error in a success', 'odds of false successes'],
  ['row twice', 'odds of rows twice'],
  ['date to wait for', 'odds of dates'],
  ['broken profile', 'odds of broken profiles'],
  ['shared line', 'odds of shared lines'],
  ['changed line', 'odds of changed lines'],
  ['late lists of runs', 'odds of late lists'],
  ['started again at once', 'odds of starts at once'],
  ['repeated at its end', 'odds of repeats'],
  ['short histories', 'odds of short histories'],
  ['refused RPC', 'odds of refused RPCs'],
  ['lost RPC answer', 'odds of lost RPC answers'],
  ['no lists of runs', 'odds of no lists'],
  ['reset at once', 'odds of resets at once'],
  ['operator of a part', 'odds of operators of parts'],
  ['key refused', 'odds of refused keys'],
  ['maintenance', 'odds of maintenance'],
  ['other client', 'odds of other clients'],
  ['clock set', 'odds of set clocks'],
  ['Temporal stands still', 'odds of a server that stands still'],
  ['activity paused or reset', 'odds of activities paused or reset'],
  ['cancelled in Temporal', 'odds of raw cancels'],
  ['scheduled', 'odds of schedules'],
  ['other region', 'odds of other regions'],
  ['other name', 'odds of other names'],
  ['making call', 'odds of calls that make'],
]);

/** Switched on in this share of the seeds. */
const SHARE_ON = 0.14;

const ALL = Object.values(Operation);
const TOGETHER: readonly (readonly Operation[])[] = [
  ['replaceInstance', 'moveFloatingIp'],
  ['protectIp', 'provisionInstance'],
  ['protectIp', 'removeProtection'],
  ['deleteInstance', 'attachVolume'],
  ['deleteInstance', 'moveFloatingIp'],
  ['detachVolume', 'attachVolume'],
  ['grantSftpAccess', 'deleteSshKey'],
  ['modifyKvStore', 'deleteKvStore'],
  ['runBatch', 'runBatch'],
  ['runBatch', 'protectIp'],
  ['runBatch', 'deleteInstance'],
  ['setInstancePower', 'resizeInstance'],
  ['createVolume', 'createVolume'],
  ['addSubtitles', 'deleteVideo'],
  ['importVideos', 'importVideos'],
];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Swarm testing: most of what can go wrong is switched off in a seed, and a little is strongly on. */
export function planSeed(draw: Draw, focus: Focus = {}): SeedPlan {
  const { kinds = STRIKE_KINDS, plain = false } = focus;
  const odds = drawOdds(draw, kinds);
  const drawn = drawStarts(draw.fork('starts'), focus, odds['shared line'] !== undefined);
  const starts =
    odds['making call'] === undefined ? drawn : withMakingCalls(draw.fork('making calls'), drawn);
  const changed =
    odds['changed line'] === undefined ? [] : changedLists(draw.fork('changed lines'), starts);
  const moved =
    odds['other region'] === undefined ? [] : movedStarts(draw.fork('moved starts'), starts);
  const renamed =
    odds['other name'] === undefined
      ? []
      : movedStarts(draw.fork('renamed starts'), starts, withOtherName);
  return {
    odds,
    most: draw.fork('most').number(1, 8),
    starts: [...starts, ...changed, ...moved, ...renamed],
    processes: plain || draw.fork('processes').chance(0.7) ? 1 : draw.number(2, 3),
    settings: {
      ...DEFAULT_WORKER_SETTINGS,
      watcher: draw.fork('watcher').chance(0.7),
      ...(draw.fork('cache').chance(0.1) && { cachedRuns: 1 }),
      ...focus.settings,
    },
    calmAfterMs: draw.fork('calm').number(2, 40) * MINUTE,
  };
}

function drawOdds(draw: Draw, kinds: readonly StrikeKind[]): SeedPlan['odds'] {
  const share =
    kinds.length < STRIKE_KINDS.length ? Math.max(SHARE_ON, 1 / kinds.length) : SHARE_ON;
  const drawFrom = (from: Draw, these: readonly StrikeKind[]): SeedPlan['odds'] => {
    const on = these.filter((kind) => kind !== 'caller' && from.chance(share));
    return Object.fromEntries(
      on.map((kind) => [kind, from.pick(STRENGTHS) * (FREQUENT[kind] ?? 1)]),
    );
  };
  const older = kinds.filter((kind) => !NEWER.has(kind));
  const newer = kinds.filter((kind) => NEWER.has(kind));
  const drawn = [
    drawFrom(draw.fork('odds'), older),
    ...newer.map((kind) => drawFrom(draw.fork(NEWER.get(kind) ?? kind), [kind])),
  ];
  return Object.fromEntries(drawn.flatMap((odds) => Object.entries(odds)));
}

function drawStarts(
  draw: Draw,
  { operations = ALL, plain = false }: Focus,
  sharesLines: boolean,
): PlannedStart[] {
  const pairs = TOGETHER.filter((pair) => pair.every((each) => operations.includes(each)));
  const count = plain ? 1 : draw.pick([1, 1, 2, 2, 3]);
  const chosen =
    count > 1 && pairs.length > 0 && draw.chance(0.5)
      ? draw.pick(pairs)
      : Array.from({ length: count }, () => draw.pick(operations));
  const drawn = chosen.map((operation, at) =>
    drawRequest(operation, {
      draw: draw.fork(`request ${at}`),
      name: `web-${at + 1}`,
      only: operations,
    }),
  );
  const requests = sharesLines ? withSharedLines(draw.fork('shared lines'), drawn) : drawn;
  const starts = requests.map((request) => ({ atMs: draw.number(0, 20) * SECOND, request }));
  // A caller repeats what it got no answer to, or comes again much later.
  const again = plain ? [] : starts.filter(() => draw.chance(0.2));
  return [
    ...starts,
    ...again.map(({ atMs, request }, at) => ({
      atMs: atMs + draw.pick([1, 30 * SECOND, 10 * MINUTE]),
      request: drawCorrected(draw.fork(`corrected ${at}`), request),
    })),
  ];
}

function withMakingCalls(draw: Draw, starts: readonly PlannedStart[]): PlannedStart[] {
  return starts.map((start, at) => ({
    ...start,
    request: withMakingCall(draw.fork(`start ${at}`), start.request),
  }));
}

/** Lists that somebody gives again after a while, mostly when their batches have ended. */
function changedLists(draw: Draw, starts: readonly PlannedStart[]): PlannedStart[] {
  return starts.flatMap(({ atMs, request }, at) => {
    const own = draw.fork(`start ${at}`);
    const changed = withChangedLine(own, request);
    const later = own.pick([MINUTE, 10 * MINUTE, 20 * MINUTE]);
    return changed === undefined
      ? []
      : [{ atMs: atMs + later, request: changed, isChanged: true as const }];
  });
}

/** The same requests in another region, or by another name, asked for anew by the same ids. */
function movedStarts(
  draw: Draw,
  starts: readonly PlannedStart[],
  move = inOtherRegion,
): PlannedStart[] {
  return starts.flatMap(({ atMs, request }, at) => {
    const own = draw.fork(`start ${at}`);
    const moved = move(own, request);
    if (moved === undefined || own.chance(0.5)) return [];
    const later = own.pick([30 * SECOND, 5 * MINUTE, 20 * MINUTE]);
    return [{ atMs: atMs + later, request: moved }];
  });
}
