import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from '@temporalio/client';
import { z } from 'zod';

import { matrixState, mostOfOne } from '../../test/support/operations/matrix-cloud.js';
import { corpora } from '../../test/support/replay/corpus.js';
import { replayErrors } from '../../test/support/replay/replay-all.js';
import { until } from '../../test/support/timing/until.js';
import {
  askToMove,
  countOpenAt,
  countVersions,
  makeCurrent,
} from '../../test/support/workers/deployments.js';
import { writeDivergingBundle } from '../../test/support/workers/newer-version.js';
import { defineBench, number } from '../bench.js';
import type { Measured } from '../document/figure.js';
import { tell } from '../tell.js';
import { inBenchWorld } from '../worlds.js';
import {
  createRuns,
  failuresInLogs,
  judgeRuns,
  planRuns,
  readTaskFailures,
  STARTS_WITHIN_MS,
} from './deploy-runs.js';
import { buildOlder, createFleet, type Fleet, type FleetVersion } from './fleet.js';

/** A create takes a minute, so that several deployments meet the same runs. */
const SPEED = 0.5;
const WORKER = { speed: SPEED, reconcileGraceMs: 5_000, probeMs: 200 };
/** Below this share of open runs a deployment meets too few. */
const ENOUGH_OPEN = 0.2;
const PAUSE_MS = 1_000;
const DEPLOYMENT = 'test-deploy';
const MAX_NAMED = 5;
const THIS: FleetVersion = { name: 'this build', root: resolve('.') };

/**
 * Deployments at noon, with open runs at all their steps. Rolling: two processes without versions go from the older build to this
 * one and back, again and again, until the runs have ended. Pinned: this build and one that could never replay its runs, by
 * Worker Versioning: promoted, rolled back, drained. In both, every other process has encryption set up.
 */
export const deploy = defineBench({
  id: 'deploy',
  title: 'Deployments with open runs',
  summary:
    '200 open runs through deployments: no failed workflow task, no lost, doubled or wrong run',
  minutes: 15,
  columns: [
    { key: 'way', title: 'deployment' },
    { key: 'what', title: 'what' },
    { key: 'found', title: 'found' },
  ],
  settings: z.strictObject({
    runs: number(200),
    /** The commit of the older build. */
    from: z.string().default(corpora().at(-1)?.commit ?? 'HEAD~1'),
  }),
  parts: { rolling: {}, pinned: {} },
  quick: { runs: 8 },
  async measure({ runs, from }, part) {
    const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
    try {
      return await measureDeployments(part, runs, {
        folder,
        ...(part === 'rolling' && { older: { name: from.slice(0, 9), root: buildOlder(from) } }),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});

interface Place {
  /** For what the workers need. */
  folder: string;
  /** Left out: this build and another version of it, pinned. */
  older?: FleetVersion;
}

interface Deployment extends Place {
  client: Client;
  fleet: Fleet;
  /** Starts the runs, over some time. Resolves when all have ended. */
  begin: () => Promise<unknown>;
  /** How many runs are open now, of how many. */
  open: () => number;
  runs: number;
}

function measureDeployments(way: string, runs: number, place: Place): Promise<Measured> {
  const plans = planRuns(runs);
  const most = mostOfOne();
  const options = {
    timeScale: 1 / SPEED,
    exactTimers: true,
    onChange: most.see,
    state: matrixState((of) => plans.filter((plan) => plan.of === of).map(({ seed }) => seed)),
    dynamicConfig: { 'frontend.namespaceRPS.visibility': 1_000 },
  };
  return inBenchWorld(options, async (world) => {
    const { client, simulator } = world;
    const fleet = createFleet(world, WORKER, place.folder);
    const { begin, open, ends } = createRuns(client, plans);
    const deployment = { ...place, client, fleet, begin, open, runs };
    const { older } = place;
    try {
      await (older === undefined ? deployPinned(deployment) : deployRolling(deployment, older));
      const tasks = await readTaskFailures(client);
      const faults = {
        'failed workflow tasks, in histories': tasks.failed,
        'failed workflow tasks, in logs': failuresInLogs(fleet.all),
        ...judgeRuns(simulator, ends),
        duplicates: Array.from({ length: Math.max(0, most.most() - 1) }, () => 'one more'),
        ...(older &&
          (await replayFaults(
            client,
            plans.map(({ name }) => name),
            [older, THIS],
          ))),
      };
      const counts = {
        runs: ends.length,
        'histories, with locks': tasks.histories,
        'workflow tasks given out again, because a signal came': tasks.overtaken,
      };
      return toMeasured(way, counts, faults);
    } finally {
      await fleet.close();
    }
  });
}

function toMeasured(
  way: string,
  counts: Record<string, number>,
  faults: Record<string, readonly string[]>,
): Measured {
  const found = Object.entries(faults);
  const rows = [
    ...Object.entries(counts),
    ...found.map(([what, all]) => [what, all.length] as const),
  ];
  return {
    rows: rows.map(([what, count]) => ({ way, what, found: count })),
    remarks: found.flatMap(([what, all]) =>
      all.slice(0, MAX_NAMED).map((each) => `${what}: ${each}`),
    ),
    checks: found.map(([what, all]) => ({
      promise: `Nothing under “${what}” (${way})`,
      kept: all.length === 0,
    })),
  };
}

/** What each of the builds that served the runs cannot replay. */
async function replayFaults(
  client: Client,
  names: readonly string[],
  versions: readonly FleetVersion[],
): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  for (const { name, root } of versions) {
    const codePath = join(root, 'dist/workflow-bundle.js');
    const errors = await replayErrors(client, names, { codePath });
    faults[`do not replay with ${name}`] = errors.filter((error) => error !== '');
  }
  return faults;
}

async function deployRolling(deployment: Deployment, older: FleetVersion): Promise<void> {
  const { fleet, begin, open, runs } = deployment;
  let running = [await fleet.start(older), await fleet.start(older)];
  const ended = begin();
  await delay(STARTS_WITHIN_MS / 2);
  let count = 0;
  for (let next = THIS; ; next = next === THIS ? older : THIS) {
    tell(`deployment ${++count}, to ${next.name}: ${open()} open`);
    for (const worker of running.splice(0)) {
      running = [...running, await fleet.start(next)];
      await fleet.stop(worker);
    }
    await delay(PAUSE_MS);
    if (next !== THIS && open() < runs * ENOUGH_OPEN) break;
  }
  tell(`${count * 2} processes replaced`);
  await ended;
}

function pinned(build: string, codePath?: string): FleetVersion {
  const version = { deploymentName: DEPLOYMENT, buildId: build };
  return {
    name: build,
    root: THIS.root,
    settings: { version, ...(codePath !== undefined && { codePath }) },
  };
}

async function deployPinned({ client, fleet, begin, open, folder }: Deployment) {
  const version = (buildId: string) => ({ deploymentName: DEPLOYMENT, buildId });
  const promote = async (build: string): Promise<void> => {
    await makeCurrent(client, version(build));
    tell(`${build} becomes current: ${open()} open`);
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
  tell(`open at second after the rollback: ${await countOpenAt(client, version('second'))}`);
  const asked = await askToMove(client, version('second'));
  tell(`asked to leave it: ${asked.length}`);
  await ended;
  await until('second is empty', async () => (await countOpenAt(client, version('second'))) === 0);
  await fleet.stop(second);
  // The last one answers for the runs that have ended.
  tell(`versions: ${await countVersions(client, DEPLOYMENT)}`);
}
