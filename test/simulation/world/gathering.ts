import { defaultFailureConverter, defaultPayloadConverter, type Payload } from '@temporalio/common';

import { carriedOutBy, correctedInputIn, resumeOf } from '../../../src/client/history-events.js';
import { isOperation } from '../../../src/client/operations.js';
import type { StartedRun } from '../../../src/client/start-run.js';
import { STARTED_BY_MEMO, startedByOf } from '../../../src/engine/core/identity.js';
import { Operation } from '../../../src/contract/wire/names.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import type { SimulatorState } from '../../../src/simulator/index.js';
import type { AliveWatch } from '../judge/alive-watch.js';
import { WorkflowExecutionStatus } from '../temporal/base/proto.js';
import type { ExecutionView } from '../temporal/create-server.js';
import type { Clock } from '../time/clock.js';
import type { Simulation } from '../time/run.js';
import type { Chaos } from './chaos.js';
import type { People } from './people.js';
import type { CallRecord, Evidence, RequestRecord, RunRecord } from './records.js';
import type { Request } from './requests.js';
import type { World } from './world.js';

export interface GatheringOptions {
  world: World;
  clock: Clock;
  people: People;
  before: SimulatorState;
  alive: AliveWatch;
  calls: readonly CallRecord[];
}

type OpenRun = Pick<RunRecord, 'workflowId' | 'runId'> & { phase: string | undefined };

/** Sees the runs from outside, and keeps what will be judged. */
export interface Gathering {
  /** Called whenever the server has answered: runs may have ended. */
  look: () => void;
  started(request: Request, run: StartedRun): void;
  idOf(request: Request): string | undefined;
  /** The Workflow Ids of open runs that other runs have started. */
  openParts: () => readonly string[];
  openRuns: () => readonly string[];
  allEnded: () => boolean;
  open(simulation: Simulation): Promise<OpenRun[]>;
  /** Remembers what runs say of themselves before somebody gives them up. */
  noteOpen(simulation: Simulation): Promise<void>;
  evidence(
    simulation: Simulation,
    rest: Pick<Evidence, 'seed' | 'lastStrikeAt' | 'secrets' | 'strikes'>,
  ): Promise<Evidence>;
  coverage(chaos: Chaos): ReadonlySet<string>;
}

const STATUS_WITHIN_MS = 60_000;
/** Reading every text of a seed costs a tenth of its time; where a secret is sent it is always done. */
const EVERY_NTH_IS_READ = 10;
/** The drawn requests of these name one. */
const SENDS_SECRETS: ReadonlySet<string> = new Set([
  Operation.rotateSftpPassword,
  Operation.callApi,
]);

/** By the numbers of `temporal.api.enums.v1.WorkflowExecutionStatus`. */
const STATES: Readonly<Record<number, RunRecord['state']>> = {
  1: 'running',
  2: 'completed',
  3: 'failed',
  4: 'cancelled',
  5: 'terminated',
  6: 'continuedAsNew',
  7: 'timedOut',
};
const {
  WORKFLOW_EXECUTION_STATUS_RUNNING: RUNNING,
  WORKFLOW_EXECUTION_STATUS_TERMINATED: TERMINATED,
} = WorkflowExecutionStatus;

const isOpen = ({ status }: ExecutionView): boolean => status === RUNNING;

export function createGathering(options: GatheringOptions): Gathering {
  const { world, clock, people, before, alive, calls } = options;
  const inventoryBefore = world.simulator.inventory();
  const clouds = {
    atStart: new Map<string, SimulatorState>(),
    atEnd: new Map<string, SimulatorState>(),
  };
  const requests = new Map<string, RequestRecord>();
  const ids = new Map<Request, string>();
  const noted = new Map<string, StatusDocument | undefined>();
  let judged: readonly RunRecord[] = [];
  const runs = (): ExecutionView[] =>
    newestOfChains(world.server.executions()).map(({ run }) => run);

  const statusOf = async (
    simulation: Simulation,
    { workflowId, runId }: ExecutionView,
  ): Promise<StatusDocument | undefined> => {
    const query = world.client.workflow.getHandle(workflowId, runId).query(statusQuery);
    return simulation.until(query, STATUS_WITHIN_MS).catch(() => undefined);
  };
  const open = async (
    simulation: Simulation,
  ): Promise<(OpenRun & { status: StatusDocument | undefined })[]> => {
    const found = [];
    for (const run of runs().filter(isOpen)) {
      const status = await statusOf(simulation, run);
      found.push({ workflowId: run.workflowId, runId: run.runId, phase: status?.phase, status });
    }
    return found;
  };
  return {
    look() {
      for (const { runId, status } of world.server.executions()) {
        if (!clouds.atStart.has(runId)) clouds.atStart.set(runId, world.simulator.snapshot());
        if (status !== RUNNING && !clouds.atEnd.has(runId))
          clouds.atEnd.set(runId, world.simulator.snapshot());
      }
    },
    started(request, { workflowId, outcome }) {
      ids.set(request, workflowId);
      const { operation, input } = request;
      const known = requests.get(workflowId);
      const { toldDoneAt = [], ...record } = known ?? {
        operation,
        workflowId,
        input,
        byRun: undefined,
      };
      const told = outcome === 'succeeded-before' ? [...toldDoneAt, clock.now()] : toldDoneAt;
      requests.set(workflowId, { ...record, toldDoneAt: told });
    },
    idOf: (request) => ids.get(request),
    openParts: () =>
      runs()
        .filter((run) => isOpen(run) && !requests.has(run.workflowId))
        .map(({ workflowId }) => workflowId),
    openRuns: () =>
      runs()
        .filter(isOpen)
        .map(({ workflowId }) => workflowId),
    allEnded: () => !runs().some(isOpen),
    open,
    async noteOpen(simulation) {
      for (const { runId, status } of await open(simulation)) noted.set(runId, status);
    },
    async evidence(simulation, rest) {
      const records: RunRecord[] = [];
      for (const chain of newestOfChains(world.server.executions())) {
        records.push(recordOf(chain, await statusOf(simulation, chain.run), clouds));
      }
      judged = records;
      const isAboutSecrets =
        rest.seed % EVERY_NTH_IS_READ === 0 ||
        records.some(({ operation }) => SENDS_SECRETS.has(operation));
      return {
        ...rest,
        before,
        after: world.simulator.snapshot(),
        inventoryBefore,
        inventoryAfter: world.simulator.inventory(),
        requests: [...requests.values()],
        runs: records,
        openAtCalm: [...noted].map(([runId, status]) => ({ runId, status })),
        calls,
        asks: people.asks,
        aliveAtOnce: alive.findings(),
        endedAt: clock.now(),
        texts: isAboutSecrets
          ? [...world.server.executions().flatMap(textsOf), ...world.logs]
          : world.logs,
        nondeterminism: world.nondeterminism,
      };
    },
    coverage: (chaos) => coverageOf(judged, chaos),
  };
}

interface Chain {
  run: ExecutionView;
  /** When its first history began. */
  beganAt: number;
  /** The id of that history. */
  beganAs: string;
  /** Those that histories had taken which a reset has left. */
  inputsLeft: readonly unknown[];
}

/** The newest run of each chain of histories, of the product's operations only. */
function newestOfChains(executions: readonly ExecutionView[]): Chain[] {
  const chains = new Map<string, Chain>();
  for (const run of executions) {
    if (!isOperation(run.type)) continue;
    const chain = `${run.workflowId} ${run.firstRunId}`;
    const before = chains.get(chain);
    const isReset = before?.run.status === TERMINATED;
    chains.set(chain, {
      run,
      beganAt: before?.beganAt ?? run.startedAt,
      beganAs: before?.beganAs ?? run.runId,
      inputsLeft: [
        ...(before?.inputsLeft ?? []),
        ...(isReset ? inputsOf(before.run.history).slice(1) : []),
      ],
    });
  }
  return [...chains.values()];
}

function recordOf(
  { run, beganAt, beganAs, inputsLeft }: Chain,
  status: StatusDocument | undefined,
  clouds: Record<'atStart' | 'atEnd', ReadonlyMap<string, SimulatorState>>,
): RunRecord {
  const { workflowId, runId, firstRunId, type, closedAt, history } = run;
  const last = history.at(-1);
  const [input, ...inputsBefore] = inputsOf(history).reverse();
  return {
    workflowId,
    runId,
    firstRunId,
    operation: type,
    input,
    inputsBefore: [...inputsBefore, ...inputsLeft],
    state: STATES[run.status] ?? 'running',
    startedAt: beganAt,
    closedAt,
    result: valueOf(last?.workflowExecutionCompletedEventAttributes?.result?.payloads?.[0]),
    failure: failureOf(last?.workflowExecutionFailedEventAttributes?.failure),
    status,
    cloudAtStart: clouds.atStart.get(beganAs),
    cloudAtEnd: clouds.atEnd.get(runId),
    events: history.length,
    byRun: startedFor(run),
  };
}

/** That of its start, and those that the run has taken with `resume`. */
function inputsOf(history: ExecutionView['history']): unknown[] {
  const started = history[0]?.workflowExecutionStartedEventAttributes;
  const carriedOut = new Set(history.map(carriedOutBy));
  const corrections = history.flatMap((event) => {
    const asked = resumeOf(event);
    if (asked === undefined || !carriedOut.has(asked.updateId)) return [];
    return [correctedInputIn(valueOf(asked.payloads[0]))];
  });
  const corrected = corrections.filter((input) => input !== undefined);
  return [valueOf(started?.input?.payloads?.[0]), ...corrected];
}

/** The Workflow Id of the run that has started it on behalf of its own caller. */
function startedFor({ memo }: ExecutionView): string | undefined {
  const startedBy = startedByOf({ [STARTED_BY_MEMO]: valueOf(memo[STARTED_BY_MEMO]) });
  return startedBy?.for?.replace(/\/[^/]*$/, '');
}

function valueOf(payload: Payload | undefined | null): unknown {
  return payload ? defaultPayloadConverter.fromPayload(payload) : undefined;
}

type ProtoFailure = Parameters<typeof defaultFailureConverter.failureToError>[0];

function failureOf(failure: ProtoFailure | undefined | null): unknown {
  return failure
    ? defaultFailureConverter.failureToError(failure, defaultPayloadConverter)
    : undefined;
}

/** Everything that stands in a history, except what callers gave. */
function textsOf({ history }: ExecutionView): string[] {
  return history
    .filter(({ workflowExecutionStartedEventAttributes: started }) => !started)
    .map((event) =>
      JSON.stringify(event, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    );
}

function coverageOf(runs: readonly RunRecord[], { struck }: Chaos): ReadonlySet<string> {
  const faults = struck.filter(({ kind }) => kind !== 'caller');
  const kinds = [...new Set(faults.map(({ kind }) => kind)), 'nothing'];
  return new Set(
    runs.flatMap(({ operation, state, status }) =>
      stepsOf(status).flatMap((step) =>
        kinds.map((kind) => `${operation} ${state}, ${step} × ${kind}`),
      ),
    ),
  );
}

function stepsOf(status: unknown): string[] {
  if (
    typeof status !== 'object' ||
    status === null ||
    !('steps' in status) ||
    !Array.isArray(status.steps)
  )
    return [];
  return status.steps.map(
    (step: { name?: unknown; state?: unknown }) => `${String(step.name)} ${String(step.state)}`,
  );
}
