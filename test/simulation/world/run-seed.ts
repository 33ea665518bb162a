import { resolve } from 'node:path';

import { requestIdFrom } from '../../../src/client/operations.js';
import type { StartedRun } from '../../../src/client/start-run.js';
import { parseOperationInput } from '../../../src/gateway/read-request.js';
import { createDraw, type Draw } from '../time/draw.js';
import { simulate, type Simulation } from '../time/run.js';
import { judgeWorld } from '../judge/judge-world.js';
import {
  workflowIdFor,
  WORKFLOW_TASK_QUEUE,
  type Operation,
} from '../../../src/contract/wire/names.js';
import { DEFAULT_ACCOUNT } from '../../../src/engine/core/names.js';
import { isTerminal } from '../../../src/engine/core/tasks.js';
import { createAliveWatch } from '../judge/alive-watch.js';
import { createChaos, type Chaos, type Strike } from './chaos.js';
import { ADDRESSES, drawCloud } from './cloud.js';
import { createGathering, type Gathering } from './gathering.js';
import { createMishaps, type Mishaps } from './mishaps.js';
import { createPeople, drawAsk, drawAskOfPart, type People } from './people.js';
import type { CallRecord, Evidence, Finding } from './records.js';
import { MOVES, perhapsMoved } from './moves.js';
import { drawRequest, GROUP, SECRET_VALUE, type Request } from './requests.js';
import { createStory, type Story } from './story.js';
import { planSeed, type Focus, type SeedPlan } from './swarm.js';
import { openWorld, type World } from './world.js';
import { runOnSchedule } from './on-schedule.js';
import { adminOf, handleActivity } from './admin.js';
import { drawActor } from '../api/actors.js';
import { sendAction } from '../api/send-action.js';
import { pass, type Clock } from '../time/clock.js';
import { API_KEY } from './machine-room.js';

export interface SeedOptions {
  seed: number;
  focus?: Focus;
  /** Only these strikes. */
  only?: readonly Strike[];
  /** A story costs time; without it only the findings count. */
  tells?: boolean;
  /** The bundle of the workflows; that of the build by default. */
  bundle?: string;
}

export interface SeedOutcome {
  seed: number;
  findings: readonly Finding[];
  strikes: readonly Strike[];
  story: readonly string[];
  /** States that the runs went through: operation, step, phase and the kinds of strikes so far. */
  coverage: ReadonlySet<string>;
  requests: readonly Request[];
  counts: { runs: number; calls: number; events: number; virtualSeconds: number };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Late calls arrive and tasks end within this time. */
const QUIET_MS = 30 * MINUTE;

/** One interleaving, from nothing but its seed. */
export function runSeed(options: SeedOptions): Promise<SeedOutcome> {
  return simulate(options.seed, async (simulation) => {
    const { planOf = options.seed } = options.focus ?? {};
    const drawn = createDraw(planOf);
    const plan = planSeed(drawn.fork('plan'), options.focus);
    const story = createStory(simulation.clock, { silent: options.tells !== true });
    const { seed, only } = options;
    const chaos = createChaos({ seed, odds: plan.odds, most: plan.most, ...(only && { only }) });
    const stage = await open(simulation, { ...options, drawn, plan, story, chaos });
    try {
      return await play(simulation, stage);
    } finally {
      stage.world.close();
    }
  });
}

interface Stage {
  seed: number;
  plan: SeedPlan;
  story: Story;
  chaos: Chaos;
  world: World;
  mishaps: Mishaps;
  people: People;
  gathering: Gathering;
  /** All that the API has carried out so far. */
  calls: readonly CallRecord[];
  /** Starts that have no answer yet. */
  starting: Set<Promise<void>>;
  /** How many starts there were; none begins while the seed is judged. */
  starts: { count: number; areOver: boolean };
  /** Sees every call that the API has carried out, whoever sent it. */
  onCall: (call: CallRecord) => void;
}

type Parts = SeedOptions & Pick<Stage, 'plan' | 'story' | 'chaos'> & { drawn: Draw };

const BUNDLE = resolve('dist/workflow-bundle.js');

async function open(simulation: Simulation, parts: Parts): Promise<Stage> {
  const { seed, drawn, plan, story, chaos, bundle = BUNDLE } = parts;
  const { clock } = simulation;
  const state = drawCloud(drawn.fork('cloud'), chaos);
  const alive = createAliveWatch();
  let mutations = 0;
  const calls: CallRecord[] = [];
  let look = (): void => undefined;
  let afterCall: (call: CallRecord) => void = () => undefined;
  const onCall = (call: CallRecord): void => {
    calls.push(call);
    afterCall(call);
    if (call.method === 'GET') return;
    alive.see(call, call.cloudAfter ?? world.simulator.snapshot());
    if (call.actor === undefined) mishaps.occasion(`after change #${(mutations += 1)}`, 2);
  };
  const world = await openWorld({
    simulation,
    seed,
    state,
    chaos,
    story,
    bundle,
    onCall,
    onAnswer: () => {
      look();
    },
  });
  const mishaps = createMishaps({ world, clock, chaos, story, settings: plan.settings });
  const people = createPeople({ clock, story, gcore: world.gcore, admin: adminOf(world.client) });
  const gathering = createGathering({ world, clock, people, before: state, alive, calls });
  ({ look } = gathering);
  const actors = { world, mishaps, people, gathering, calls };
  const stage: Stage = {
    seed,
    plan,
    story,
    chaos,
    ...actors,
    onCall,
    starting: new Set(),
    starts: { count: 0, areOver: false },
  };
  afterCall = (call) => {
    correct(stage, clock, call);
    move(stage, clock, { call, kind: 'other region' });
    move(stage, clock, { call, kind: 'other name' });
    startAgain(stage, clock, call);
    repeatAtEnd(stage, clock, call);
    resetAtOnce(stage, clock, call);
    const weight = call.method === 'GET' ? 1 : 4;
    askPast(stage, clock, { occasion: `after call #${calls.length}`, weight });
  };
  return stage;
}

async function play(simulation: Simulation, stage: Stage): Promise<SeedOutcome> {
  const { plan, world, chaos, mishaps, gathering } = stage;
  for (let each = 0; each < plan.processes; each += 1) world.room.start(plan.settings);
  schedule(simulation, stage);
  const lastStartAt = simulation.startedAt + Math.max(...plan.starts.map(({ atMs }) => atMs));
  const isOver = (): boolean =>
    simulation.clock.now() > lastStartAt && stage.starting.size === 0 && gathering.allEnded();
  await letPass(simulation, isOver, plan.calmAfterMs);
  chaos.calm();
  mishaps.mendAll();
  const calmAt = simulation.clock.now();
  await endAll(simulation, stage);
  await letPass(simulation, () => isQuiet(stage), QUIET_MS);
  stage.starts.areOver = true;
  await letPass(simulation, () => stage.starting.size === 0, MINUTE);
  return conclude(simulation, stage, calmAt);
}

/** Nothing is on its way any more that could change the cloud. */
function isQuiet({ world }: Stage): boolean {
  const { tasks } = world.simulator.inventory();
  return world.network.inFlight() === 0 && tasks.every(({ state }) => isTerminal(state));
}

/** Lets time pass in steps until this is so, but no longer than that. */
async function letPass(
  simulation: Simulation,
  isSo: () => boolean,
  mostMs: number,
): Promise<boolean> {
  const until = simulation.clock.now() + mostMs;
  for (;;) {
    if (isSo()) return true;
    if (simulation.clock.now() >= until) return false;
    await simulation.pass(Math.min(5_000, until - simulation.clock.now()));
  }
}

function schedule(simulation: Simulation, stage: Stage): void {
  const { clock, draw } = simulation;
  const { plan, chaos, mishaps } = stage;
  for (const [at, { atMs, request, isChanged }] of plan.starts.entries()) {
    const kind = isChanged === true ? 'changed line' : 'caller';
    if (chaos.strikes(kind, `start #${at + 1}, ${request.operation}`, 8) === undefined) continue;
    clock.after(atMs, () => {
      begin(stage, clock, request);
    });
  }
  for (const [at, { request }] of plan.starts.entries()) takeBack(stage, clock, { at, request });
  const moments = draw.fork('moments');
  for (let moment = 1; moment <= MOMENTS; moment += 1) {
    // Most happens while the first calls are under way; some much later.
    const atMs = moments.chance(0.7)
      ? moments.number(0, 120_000)
      : moments.number(0, plan.calmAfterMs);
    clock.after(atMs, () => {
      mishaps.occasion(`moment #${moment}`);
      meddle(stage, clock, moment);
      askPart(stage, moment);
      askPast(stage, clock, { occasion: `moment #${moment}`, weight: 1 });
      const asks = chaos.strikes('operator', `moment #${moment}`);
      if (asks === undefined) return;
      if (asks.chance(0.2)) {
        void stage.people.askGroup(
          asks.pick(['pause', 'resume', 'abort', 'cancel', 'cancel']),
          GROUP,
        );
        return;
      }
      const { request } = asks.pick(plan.starts);
      const workflowId = stage.gathering.idOf(request);
      if (workflowId !== undefined) void stage.people.ask(drawAsk(asks, request), workflowId, asks);
    });
  }
}

const MOMENTS = 12;

/** Somebody ends a batch that has a line of somebody else. */
function takeBack(
  { chaos, gathering, people }: Stage,
  clock: Clock,
  { at, request }: { at: number; request: Request },
): void {
  if (request.operation !== 'runBatch') return;
  const draw = chaos.strikes('shared line', `batch #${at + 1}`, 2);
  if (draw === undefined) return;
  clock.after(draw.number(5_000, 180_000), () => {
    const workflowId = gathering.idOf(request);
    if (workflowId !== undefined) void people.ask(draw.pick(['abort', 'cancel']), workflowId, draw);
  });
}

function begin(stage: Stage, clock: Clock, request: Request): void {
  if (stage.starts.areOver) return;
  const starting = start(stage, clock, request).finally(() => stage.starting.delete(starting));
  stage.starting.add(starting);
}

/** What somebody has asked for under this Workflow Id. */
function requestOf({ plan, gathering }: Stage, workflowId: string): Request | undefined {
  return plan.starts.find(({ request }) => gathering.idOf(request) === workflowId)?.request;
}

/** Somebody terminates the run whose call has just been carried out, and starts its request again at once. */
function startAgain(stage: Stage, clock: Clock, { workflowId }: CallRecord): void {
  const { chaos, people, calls } = stage;
  if (workflowId === undefined) return;
  const draw = chaos.strikes('started again at once', `call #${calls.length}`);
  if (draw === undefined) return;
  const request = requestOf(stage, workflowId);
  if (request === undefined) return;
  const again = perhapsMoved(chaos, request, `start after call #${calls.length}`);
  clock.after(draw.number(0, 500), () => {
    void people.ask('terminate', workflowId, draw);
    clock.after(draw.number(1, 900), () => {
      begin(stage, clock, again);
    });
  });
}

/** Somebody stops the run whose call has just been carried out, waits for its end, and starts its request again. */
function repeatAtEnd(stage: Stage, clock: Clock, { workflowId }: CallRecord): void {
  const { chaos, people, calls, starting, world } = stage;
  if (workflowId === undefined) return;
  const draw = chaos.strikes('repeated at its end', `call #${calls.length}`);
  if (draw === undefined) return;
  const request = requestOf(stage, workflowId);
  if (request === undefined) return;
  const again = perhapsMoved(chaos, request, `repeat after call #${calls.length}`);
  const repeat = async (): Promise<void> => {
    await pass(clock, draw.number(0, 500));
    const run = await world.gcore.summary(workflowId).catch(() => undefined);
    if (run === undefined) return;
    await people.ask(draw.pick(['cancel', 'abort']), workflowId, draw);
    await world.gcore.result(request.operation, run).catch(() => undefined);
    await pass(clock, draw.number(1, 900));
    await start(stage, clock, again);
  };
  const repeating = repeat().finally(() => starting.delete(repeating));
  starting.add(repeating);
}

/** An administrator resets the run whose call has just been carried out. */
function resetAtOnce(stage: Stage, clock: Clock, { workflowId }: CallRecord): void {
  const { chaos, people, calls } = stage;
  if (workflowId === undefined) return;
  const draw = chaos.strikes('reset at once', `call #${calls.length}`);
  if (draw === undefined) return;
  clock.after(draw.number(0, 500), () => {
    void people.ask('reset', workflowId, draw);
  });
}

/** Somebody asks something of an open run that another run has started. */
function askPart({ chaos, gathering, people }: Stage, moment: number): void {
  const draw = chaos.strikes('operator of a part', `moment #${moment}`, 2);
  if (draw === undefined) return;
  const parts = gathering.openParts();
  if (parts.length > 0) void people.ask(drawAskOfPart(draw), draw.pick(parts), draw);
}

/** Somebody does something with an open run, a part or an item where Temporal shows it, and not by the product. */
function askPast(
  stage: Stage,
  clock: Clock,
  { occasion, weight }: { occasion: string; weight: number },
): void {
  const { chaos, gathering, people, world, story } = stage;
  const handles = chaos.strikes('activity paused or reset', occasion, weight);
  const cancels = chaos.strikes('cancelled in Temporal', occasion, 0.3 * weight);
  if (handles === undefined && cancels === undefined) return;
  const open = gathering.openRuns();
  if (open.length === 0) return;
  const { client } = world;
  if (handles !== undefined)
    void handleActivity({ client, clock, story }, handles.pick(open), handles);
  if (cancels !== undefined) void people.cancelPast(cancels.pick(open));
}

/** Somebody pauses the run that has just sent this call, and resumes it with another input. */
function correct(stage: Stage, clock: Clock, { workflowId }: CallRecord): void {
  const { chaos, people, calls } = stage;
  if (workflowId === undefined) return;
  const draw = chaos.strikes('corrected input', `call #${calls.length}`);
  if (draw === undefined) return;
  const request = requestOf(stage, workflowId);
  if (request === undefined) return;
  const { operation, requestId = 'web-9' } = request;
  void people.ask('pause', workflowId, draw);
  clock.after(draw.number(1_000, 60_000), () => {
    void people.correct(
      workflowId,
      drawRequest(operation, { draw: draw.fork('input'), name: requestId }),
    );
  });
}

/** Somebody pauses the run that has just sent this call, and wants what it makes in another region, or by another name. */
function move(
  stage: Stage,
  clock: Clock,
  { call: { workflowId, method }, kind }: { call: CallRecord; kind: keyof typeof MOVES },
): void {
  const { chaos, people, calls } = stage;
  if (workflowId === undefined) return;
  const weight = method === 'GET' ? 1 : 4;
  const draw = chaos.strikes(kind, `call #${calls.length}`, weight);
  const request = requestOf(stage, workflowId);
  if (draw === undefined || request === undefined) return;
  const moved = MOVES[kind](draw, request);
  if (moved === undefined) return;
  void people.ask('pause', workflowId, draw);
  clock.after(draw.number(1_000, 60_000), () => {
    void people.correct(workflowId, moved);
  });
}

/** Somebody else changes something in the console. */
function meddle({ chaos, world, story, plan, onCall }: Stage, clock: Clock, moment: number): void {
  const draw = chaos.strikes('other actor', `moment #${moment}`);
  if (draw === undefined) return;
  const { simulator } = world;
  const inputs = JSON.stringify(plan.starts.map(({ request }) => request.input));
  const action = drawActor({
    draw,
    state: simulator.snapshot(),
    touched: new Set(inputs.match(/[0-9a-f]{8}-[0-9a-f-]{27}|\b\d{1,2}\b/g)),
    names: [...inputs.matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name),
    addresses: ADDRESSES,
  });
  if (action === undefined) return;
  void sendAction({ simulator, clock, story, actor: 'console', apiKey: API_KEY, onCall }, action);
}

async function start(stage: Stage, clock: Clock, request: Request): Promise<void> {
  const { chaos, story, gathering, starts, world } = stage;
  const { operation } = request;
  const scheduled = chaos.strikes('scheduled', `start #${starts.count + 1}`, 3);
  if (scheduled !== undefined) {
    starts.count += 1;
    await runOnSchedule({ world, clock, story, gathering }, request, scheduled);
    return;
  }
  try {
    const run = await startParsed(stage, request);
    gathering.started(request, run);
    story.tell('caller', `starts ${run.workflowId}: ${run.outcome}`);
  } catch (error) {
    story.tell('caller', `starts ${operation}: ${explain(error)}`);
  }
}

function startParsed(stage: Stage, request: Request): Promise<StartedRun> {
  const { operation, requestId = '', input } = request;
  const parsed = parseOperationInput(operation, input);
  const asked = { requestId: requestIdFrom(operation, parsed) ?? requestId, input: parsed };
  const { chaos, starts, world } = stage;
  const isOther = chaos.strikes('other client', `start #${(starts.count += 1)}`, 3) !== undefined;
  // Such a client cannot know of a run that no list shows: docs/trigger.md.
  return isOther && !chaos.isOn('late lists of runs')
    ? startByName(world, operation, { ...asked, input })
    : world.gcore.start(operation, asked);
}

/** As docs/trigger.md tells a client in another language. */
async function startByName(
  { client }: World,
  operation: Operation,
  { requestId, input }: { requestId: string; input: Request['input'] },
): Promise<StartedRun> {
  const { workflowId, firstExecutionRunId: runId } = await client.workflow.start(operation, {
    workflowId: workflowIdFor(operation, DEFAULT_ACCOUNT, requestId),
    taskQueue: WORKFLOW_TASK_QUEUE,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy:
      operation === 'protectIp' ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
  });
  return { workflowId, runId, outcome: 'started' };
}

function explain(error: unknown): string {
  const cause =
    error instanceof Error && error.cause !== undefined ? `: ${explain(error.cause)}` : '';
  return `${String(error).slice(0, 200)}${cause}`;
}

/** Whoever paused a run lets it go on, and whatever needs a person is given up in the end. */
async function endAll(simulation: Simulation, { gathering, people, plan }: Stage): Promise<void> {
  const { draw } = simulation;
  if (await letPass(simulation, gathering.allEnded, 20 * MINUTE)) return;
  for (const run of await gathering.open(simulation)) {
    if (run.phase === 'paused') void people.ask('resume', run.workflowId, draw.fork('end'));
  }
  const longest = plan.starts.some(({ request }) => 'holdFor' in request.input)
    ? 8 * HOUR
    : 2 * HOUR;
  if (await letPass(simulation, gathering.allEnded, longest)) return;
  await gathering.noteOpen(simulation);
  for (const run of await gathering.open(simulation)) {
    void people.ask('abort', run.workflowId, draw.fork('end'));
  }
  await letPass(simulation, gathering.allEnded, 30 * MINUTE);
}

async function conclude(
  simulation: Simulation,
  stage: Stage,
  calmAt: number,
): Promise<SeedOutcome> {
  const { seed, story, chaos, gathering, plan } = stage;
  const evidence: Evidence = await gathering.evidence(simulation, {
    seed,
    lastStrikeAt: calmAt,
    strikes: chaos.struck,
    secrets: [SECRET_VALUE, API_KEY],
  });
  return {
    seed,
    findings: judgeWorld(evidence),
    strikes: chaos.struck,
    story: story.lines(),
    coverage: gathering.coverage(chaos),
    requests: plan.starts.map(({ request }) => request),
    counts: {
      runs: evidence.runs.length,
      calls: evidence.calls.length,
      events: evidence.runs.reduce((sum, { events }) => sum + events, 0),
      virtualSeconds: Math.round((simulation.clock.now() - simulation.startedAt) / 1_000),
    },
  };
}
