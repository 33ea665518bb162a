import type { WorkflowHandle } from '@temporalio/client';

import { abortUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { Phase } from '../../src/engine/core/status.js';
import type { FaultAction } from '../../src/simulator/index.js';
import { createDraw, type Draw } from './matrix/random.js';
import { callByHand } from '../support/http/call-by-hand.js';
import { CREATE_PATH, provisionInput } from '../support/inputs/provision-input.js';
import { until } from '../support/timing/until.js';
import { idsOf } from '../support/worlds/instances.js';
import type { Scenario } from '../support/runs/scenario.js';

/** What no run of this history has made, or what belongs to a success: it must stay. */
export interface History {
  /** What each round did, for the report of a failure. */
  rounds: string[];
  /** Ids that must exist, and no longer do. */
  lost: string[];
}

type NamedFault = readonly [string, readonly FaultAction[]];

const FAULTS: readonly [NamedFault, ...NamedFault[]] = [
  ['no fault', []],
  ['refused', [{ kind: 'status', status: 400 }]],
  ['turned away', [{ kind: 'status', status: 429, retryAfter: '0' }]],
  ['answer lost', [{ kind: 'drop-response' }]],
  ['answer lost, lists lag', [{ kind: 'drop-response' }, { kind: 'list-lag', ms: 300 }]],
  ['500 after processing', [{ kind: 'status', status: 500, afterProcessing: true }]],
  ['task in ERROR', [{ kind: 'task-error', error: 'internal error', leftovers: 'none' }]],
  ['leaves a volume', [{ kind: 'task-error', error: 'internal error', leftovers: 'volume' }]],
  ['leaves an instance', [{ kind: 'task-error', error: 'internal error', leftovers: 'instance' }]],
];
const ENDS = ['ends', 'ends', 'is cancelled', 'is terminated'] as const;
const ROUNDS = 5;

/** The ids of the stranger's instance of `stateWithInstances([{ of: 1 }])` and of what belongs to it. */
const STRANGERS = idsOf(1);

/**
 * Random runs of one request, one after the other, with faults, cancellations and terminations. In
 * between, a person deletes instances of successful runs and keeps their volumes.
 */
export async function playHistory(scenario: Scenario, seed: number): Promise<History> {
  const draw = createDraw(seed);
  const mustStay = new Set(STRANGERS);
  const history: History = { rounds: [], lost: [] };
  for (let round = 1; round <= ROUNDS && history.lost.length === 0; round++) {
    const volume = freeVolumes(scenario, mustStay)[0];
    const brought = draw.chance(0.5) ? volume : undefined;
    const { text, instanceId } = await playRound(scenario, draw, { seed, brought });
    history.rounds.push(`${round}: ${text}`);
    if (instanceId !== undefined) await afterSuccess(scenario, draw, { instanceId, mustStay });
    history.lost.push(...[...mustStay].filter((id) => !existing(scenario).has(id)));
  }
  return history;
}

interface Round {
  text: string;
  /** Of the run if it succeeded. */
  instanceId?: string;
}

async function playRound(
  { start, simulator }: Scenario,
  draw: Draw,
  { seed, brought }: { seed: number; brought: string | undefined },
): Promise<Round> {
  const [fault, actions] = draw.pick(FAULTS);
  const end = draw.pick(ENDS);
  simulator.faults.clear();
  for (const action of actions) {
    simulator.faults.add({ match: { method: 'POST', path: CREATE_PATH }, action });
  }
  const volumes = [{ source: 'existing-volume' as const, volume_id: brought ?? '', boot_index: 0 }];
  const input = provisionInput(brought === undefined ? {} : { volumes });
  const sent = simulator.mutations().length;
  const run = await start('provisionInstance', input, `history-${seed}`);
  const text = `${fault}, the run ${end}${brought === undefined ? '' : ', brings a volume'}`;
  if (end !== 'ends') {
    await until('it has sent something, or has ended', async () => {
      return simulator.mutations().length > sent || (await phaseOf(run)) !== Phase.running;
    });
    await (end === 'is cancelled' ? run.cancel() : run.terminate('by an operator')).catch(
      () => undefined,
    );
  }
  await untilEnded(run);
  await until('the cloud is quiet', () => isQuiet(simulator));
  const result: unknown = await run.result().catch(() => undefined);
  if (!(result instanceof Object && 'instanceId' in result)) return { text };
  return { text: `${text}: success`, instanceId: String(result.instanceId) };
}

async function phaseOf(run: WorkflowHandle): Promise<Phase> {
  return (await run.query(statusQuery)).phase;
}

/** A person ends a run that is blocked. */
async function untilEnded(run: WorkflowHandle): Promise<void> {
  await until('the run has ended', async () => {
    const { status } = await run.describe();
    if (status.name !== 'RUNNING') return true;
    if ((await phaseOf(run)) === Phase.blocked) {
      await run.executeUpdate(abortUpdate, { args: [{}] }).catch(() => undefined);
    }
    return false;
  });
}

function isQuiet(simulator: Scenario['simulator']): boolean {
  const { tasks } = simulator.inventory();
  return (
    simulator.inFlight().length === 0 &&
    tasks.every(({ state }) => state !== 'RUNNING' && state !== 'NEW')
  );
}

/** What a success has made must stay. Sometimes a person deletes its instance and keeps its volumes. */
async function afterSuccess(
  { api, simulator }: Scenario,
  draw: Draw,
  { instanceId, mustStay }: { instanceId: string; mustStay: Set<string> },
): Promise<void> {
  const instance = simulator.inventory().instances.find(({ id }) => id === instanceId);
  for (const { id } of instance?.volumes ?? []) mustStay.add(id);
  if (draw.chance(0.3)) {
    mustStay.add(instanceId);
    return;
  }
  await callByHand(api, `DELETE /cloud/v1/instances/1/1/${instanceId}`);
  await until('the instance is gone', () => isQuiet(simulator));
  mustStay.delete(instanceId);
}

function freeVolumes({ simulator }: Scenario, mustStay: ReadonlySet<string>): string[] {
  return simulator
    .inventory()
    .volumes.filter(({ id, status }) => mustStay.has(id) && status === 'available')
    .map(({ id }) => id);
}

function existing({ simulator }: Scenario): Set<string> {
  const { instances, volumes, floatingIps } = simulator.inventory();
  return new Set([...instances, ...volumes, ...floatingIps].map(({ id }) => id));
}
