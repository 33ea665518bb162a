/**
 * `npm run test:deploy -- [--runs 200] [--from <commit>] [--only Rolling|Pinned]`: deployments at noon, with open runs at all their steps.
 *
 * Rolling: two processes without versions go from the older build to this one and back, again and again, until the
 * runs have ended. Pinned: this build and one that could never replay its runs, by Worker Versioning: promoted,
 * rolled back, drained. In both, every other process has encryption set up. Exits with 1 when a workflow task failed, or a run is lost, doubled or wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Client, Connection } from '@temporalio/client';

import { corpora } from '../test/support/replay/corpus.js';
import { replayErrors } from '../test/support/replay/replay-all.js';
import { until } from '../test/support/timing/until.js';
import {
  askToMove,
  countOpenAt,
  countVersions,
  makeCurrent,
} from '../test/support/workers/deployments.js';
import { writeDivergingBundle } from '../test/support/workers/newer-version.js';
import { inFaultWorld, type FaultWorld } from '../test/support/worlds/fault-world.js';
import { createFleet, writeIdleKeys, type Fleet, type FleetVersion } from './deploy/fleet.js';
import { buildOlder } from './deploy/older-build.js';
import {
  createRuns,
  judgeRuns,
  mostOfOne,
  planRuns,
  STARTS_WITHIN_MS,
  stateFor,
  type EndedPlan,
} from './deploy/open-runs.js';
import { failuresInLogs, readTaskFailures } from './deploy/workflow-tasks.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: corpora().at(-1)?.commit ?? 'HEAD~1' },
  },
});

/** A create takes a minute, so that several deployments meet the same runs. */
const SPEED = 0.5;
const GRACE_MS = 5_000;
const PROBE_MS = 200;
/** Below this share of open runs a deployment meets too few. */
const ENOUGH_OPEN = 0.2;
const PAUSE_MS = 1_000;
const DEPLOYMENT = 'test-deploy';

const plans = planRuns(Number(values.runs));
const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
const idleKeys = writeIdleKeys(folder);
const THIS: FleetVersion = { name: 'this build', root: resolve('.') };

interface Deployment {
  client: Client;
  fleet: Fleet;
  /** Starts the runs, over some time. Resolves when all have ended. */
  begin: () => Promise<unknown>;
  /** How many runs are open now. */
  open: () => number;
  /** What happened, for the report. */
  note: (name: string, value: unknown) => void;
}

/** Deploys while the runs are open; with the bundles that must replay all of them afterwards. */
interface Way {
  title: string;
  deploy: (deployment: Deployment) => Promise<void>;
  replayedBy: readonly { name: string; codePath: string }[];
}

try {
  const older = { name: values.from.slice(0, 9), root: buildOlder(values.from) };
  const ways = [rollingWay(older), pinnedWay()];
  await inTurn(ways.filter(({ title }) => title.startsWith(values.only)));
} finally {
  rmSync(folder, { recursive: true });
}

async function inTurn(ways: readonly Way[]): Promise<void> {
  for (const way of ways) {
    process.stdout.write(`\n${way.title}\n`);
    if (!(await carryOutWay(way))) process.exitCode = 1;
  }
}

function rollingWay(older: FleetVersion): Way {
  return {
    title: `Rolling, without versions: ${older.name} → this build → ${older.name}`,
    replayedBy: [
      { name: older.name, codePath: join(older.root, 'dist/workflow-bundle.js') },
      { name: THIS.name, codePath: join(THIS.root, 'dist/workflow-bundle.js') },
    ],
    async deploy({ fleet, begin, open, note }) {
      let running = [await fleet.start(older), await fleet.start(older)];
      const ended = begin();
      await delay(STARTS_WITHIN_MS / 2);
      let count = 0;
      for (let next = THIS; ; next = next === THIS ? older : THIS) {
        note(`open at deployment ${++count}, to ${next.name}`, open());
        for (const worker of running.splice(0)) {
          running = [...running, await fleet.start(next)];
          await fleet.stop(worker);
        }
        await delay(PAUSE_MS);
        if (next !== THIS && open() < plans.length * ENOUGH_OPEN) break;
      }
      note('processes replaced', count * 2);
      await ended;
    },
  };
}

function pinnedWay(): Way {
  return {
    title: 'Pinned: this build, and one that could not replay its runs: promote, rollback, drain',
    replayedBy: [],
    deploy: deployPinned,
  };
}

function pinned(build: string, codePath?: string): FleetVersion {
  const version = { deploymentName: DEPLOYMENT, buildId: build };
  return {
    ...{ name: build, root: THIS.root },
    settings: { version, ...(codePath !== undefined && { codePath }) },
  };
}

async function deployPinned({ client, fleet, begin, open, note }: Deployment): Promise<void> {
  const version = (buildId: string) => ({ deploymentName: DEPLOYMENT, buildId });
  const promote = async (build: string): Promise<void> => {
    await makeCurrent(client, version(build));
    note(`open when ${build} becomes current`, open());
  };
  await fleet.start(pinned('first'));
  await promote('first');
  const second = await fleet.start(pinned('second', writeDivergingBundle(folder)));
  const ended = begin();
  await delay(STARTS_WITHIN_MS / 3);
  await promote('second');
  await delay(STARTS_WITHIN_MS / 3);
  await promote('first');
  await delay(PAUSE_MS);
  note('open at second after the rollback', await countOpenAt(client, version('second')));
  const asked = await askToMove(client, version('second'));
  note('asked to leave it', asked.length);
  await ended;
  await until('second is empty', async () => (await countOpenAt(client, version('second'))) === 0);
  await fleet.stop(second);
  // The last one answers for the runs that have ended.
  note('versions', await countVersions(client, DEPLOYMENT));
}

/** Prints a table. Returns whether nothing went wrong. */
async function carryOutWay({ deploy, replayedBy }: Way): Promise<boolean> {
  const most = mostOfOne();
  let isClean = false;
  await inFaultWorld(
    async (world) => {
      const connection = await Connection.connect({ address: world.address });
      const client = new Client({ connection });
      const settings = {
        ...{ address: world.address, baseUrl: world.baseUrl, apiKey: 'simulator-key' },
        ...{ speed: SPEED, reconcileGraceMs: GRACE_MS, probeMs: PROBE_MS, timeoutMs: 15_000 },
      };
      const fleet = createFleet(settings, idleKeys);
      const began = Date.now();
      const runs = createRuns(client, plans);
      try {
        const note: Deployment['note'] = (name, value) => {
          const seconds = Math.round((Date.now() - began) / 1_000);
          print(`${String(seconds).padStart(4)} s  ${name}`, value);
        };
        await deploy({ ...runs, client, fleet, note });
        const facts = { client, fleet, ends: runs.ends, most: most.most(), replayedBy };
        isClean = await report(world, facts);
        print('duration in seconds', Math.round((Date.now() - began) / 1_000));
      } finally {
        await fleet.close();
        await connection.close();
      }
    },
    {
      timeScale: 1 / SPEED,
      state: stateFor(plans),
      onChange: most.see,
      dynamicConfig: { 'frontend.namespaceRPS.visibility': 1_000 },
    },
  );
  return isClean;
}

interface Facts extends Pick<Way, 'replayedBy'> {
  client: Client;
  fleet: Fleet;
  ends: readonly EndedPlan[];
  most: number;
}

async function report(world: FaultWorld, facts: Facts): Promise<boolean> {
  const { client, fleet, ends, most, replayedBy } = facts;
  const { lost, wrongEnds, differences, repeated } = judgeRuns(world.simulator, ends);
  const tasks = await readTaskFailures(client);
  const inLogs = failuresInLogs(fleet.all);
  const rows: [string, readonly string[] | number][] = [
    ['failed workflow tasks, in histories', tasks.failed],
    ['failed workflow tasks, in logs', inLogs],
    ['lost runs', lost],
    ['wrong ends', wrongEnds],
    ['creating calls made twice', repeated],
    ['duplicates', Math.max(0, most - 1)],
    ['differences of the ledger', differences],
  ];
  for (const { name, codePath } of replayedBy) {
    const names = ends.map(({ plan }) => plan.name);
    const errors = await replayErrors(client, names, { codePath });
    rows.push([`do not replay with ${name}`, errors.filter((error) => error !== '')]);
  }
  print('runs', ends.length);
  print('histories, with locks', tasks.histories);
  print('workflow tasks given out again, because a signal came', tasks.overtaken);
  for (const [name, found] of rows) {
    print(name, typeof found === 'number' ? found : found.length);
    if (typeof found !== 'number') for (const each of found.slice(0, 5)) print('', each);
  }
  return rows.every(([, found]) => (typeof found === 'number' ? found : found.length) === 0);
}

function print(name: string, value: unknown): void {
  process.stdout.write(`${name.padEnd(56)} ${String(value)}\n`);
}
