import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/gcore-workflows.js';
import { forgetServerTime } from '../../../src/engine/activities/attempt.js';
import {
  createSimulator,
  type Simulator,
  type SimulatorState,
} from '../../../src/simulator/index.js';
import { apiClock } from '../api/api-clock.js';
import { createApiNetwork, type ApiNetwork } from '../api/create-api-network.js';
import { installCore, type Core } from '../core/install-core.js';
import { createServer, type Limits, type SimulatedServer } from '../temporal/create-server.js';
import { createProcess, type SimulatedProcess } from '../time/processes.js';
import type { Simulation } from '../time/run.js';
import type { Chaos } from './chaos.js';
import { createMachineRoom, TEMPORAL_ADDRESS, type MachineRoom } from './machine-room.js';
import type { CallRecord } from './records.js';
import type { Story } from './story.js';
import { createTemporalLink, type LosesAnswer } from './temporal-link.js';

/** The cloud, the Temporal server, the processes of the product and the ways between them. */
export interface World {
  simulator: Simulator;
  server: SimulatedServer;
  /** The process of the server. */
  temporal: SimulatedProcess;
  network: ApiNetwork;
  room: MachineRoom;
  /** Of somebody outside of the worker processes, who always reaches the server. */
  client: Client;
  gcore: GcoreWorkflows;
  nondeterminism: readonly string[];
  logs: readonly string[];
  /** Cuts a process off, from the API or from Temporal, and lets it through again. */
  cut(process: SimulatedProcess, from: 'API' | 'Temporal'): void;
  mend(process: SimulatedProcess): void;
  /** Ends all processes. */
  close(): void;
}

export interface WorldOptions {
  simulation: Simulation;
  seed: number;
  state: SimulatorState;
  chaos: Chaos;
  story: Story;
  bundle: string;
  onCall: (call: CallRecord) => void;
  /** After each answer of the Temporal server. */
  onAnswer?: () => void;
  losesAnswer?: LosesAnswer;
  /** Of the Temporal server. */
  limits?: Partial<Limits>;
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const { simulation, chaos, story, state, seed, limits = {} } = options;
  const { clock, draw } = simulation;
  forgetServerTime();
  const cuts = createCuts();
  const apiNow = apiClock(chaos, clock);
  const simulator = createSimulator({ seed, timeScale: 1, now: apiNow, state });
  const temporal = createProcess('Temporal', clock);
  const server = createServer({
    clock: { ...clock, after: (ms, act) => temporal.after(ms, act) },
    draw: draw.fork('server'),
    limits: { ...limitsOf(chaos), ...limits },
  });
  const network = createApiNetwork({
    simulator,
    clock,
    apiNow,
    draw: draw.fork('network'),
    chaos,
    story,
    isCut: cuts.isCutFrom('API'),
    onCall: options.onCall,
  });
  const nondeterminism: string[] = [];
  const logs: string[] = [];
  const core = installWorldCore(options, {
    server,
    temporal,
    isCut: cuts.isCutFrom('Temporal'),
    nondeterminism,
    logs,
  });
  const room = createMachineRoom({ clock, story, fetch: network.fetch, bundle: options.bundle });
  const connection = await simulation.until(
    NativeConnection.connect({ address: TEMPORAL_ADDRESS }),
  );
  const client = new Client({ connection, identity: 'person@simulation' });
  const gcore = createGcoreWorkflows({ client, clearSecrets: 'allow' });
  return {
    simulator,
    server,
    temporal,
    network,
    room,
    client,
    gcore,
    nondeterminism,
    logs,
    cut: cuts.cut,
    mend: cuts.mend,
    close() {
      for (const { process } of room.running()) process.kill();
      core.uninstall();
    },
  };
}

function limitsOf(chaos: Chaos): Partial<Limits> {
  const late = chaos.strikes('late lists of runs', 'the Temporal server', 8);
  const short = chaos.strikes('short histories', 'the Temporal server', 30);
  return {
    ...(late && { visibilityLagMs: late.pick([1_000, 3_000, 10_000]) }),
    ...(short && { suggestContinueAsNewCount: short.pick([12, 20, 40, 120]) }),
  };
}

interface CoreParts {
  server: SimulatedServer;
  temporal: SimulatedProcess;
  isCut: (process: SimulatedProcess | undefined) => boolean;
  nondeterminism: string[];
  logs: string[];
}

function installWorldCore(
  options: WorldOptions,
  { server, temporal, isCut, nondeterminism, logs }: CoreParts,
): Core {
  const { simulation, chaos, story } = options;
  const { clock, draw } = simulation;
  let tasks = 0;
  const link = createTemporalLink({
    server,
    temporal,
    clock,
    draw: draw.fork('link'),
    chaos,
    story,
    isCut,
    losesAnswer: options.losesAnswer,
    onAnswer: ({ rpc }, from) => {
      options.onAnswer?.();
      if (rpc !== 'RespondWorkflowTaskCompleted' || from === undefined) return;
      if (chaos.strikes('evicted run', `workflow task #${(tasks += 1)}`) !== undefined)
        core.evict(from);
    },
  });
  const core = installCore({
    clock,
    draw: draw.fork('core'),
    links: new Map([[`http://${TEMPORAL_ADDRESS}`, link]]),
    onNondeterminism: (text) => {
      nondeterminism.push(text);
      story.tell('replay', text);
    },
    onLog: (line) => logs.push(line),
  });
  return core;
}

/** Who does not reach what. */
function createCuts() {
  const cut = { API: new Set<SimulatedProcess>(), Temporal: new Set<SimulatedProcess>() };
  return {
    isCutFrom: (from: keyof typeof cut) => (process: SimulatedProcess | undefined) =>
      process !== undefined && cut[from].has(process),
    cut: (process: SimulatedProcess, from: keyof typeof cut): void => {
      cut[from].add(process);
    },
    mend: (process: SimulatedProcess): void => {
      cut.API.delete(process);
      cut.Temporal.delete(process);
    },
  };
}
