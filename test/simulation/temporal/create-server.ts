import type { temporal } from '@temporalio/proto';

import type { Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import { manageHandlers } from './activities/manage.js';
import { watchActivities } from './activities/timeouts.js';
import { Code, GrpcError, namespaceNotFound } from './base/grpc-error.js';
import type { HistoryEvent, Payload } from './base/proto.js';
import type { Handlers } from './base/requests.js';
import { afterClose } from './children/closed.js';
import { watchRun } from './executions/timeouts.js';
import { drawId } from './model/ids.js';
import type { Execution } from './model/execution.js';
import type { Limits, Server } from './model/server.js';
import { activityHandlers } from './rpcs/activities.js';
import { describeHandlers } from './rpcs/describe.js';
import { executionHandlers } from './rpcs/executions.js';
import { historyHandlers } from './rpcs/history.js';
import { namespaceHandlers, operatorHandlers } from './rpcs/namespaces.js';
import { scheduleHandlers } from './rpcs/schedules.js';
import { workerHandlers } from './rpcs/workers.js';
import { watchTimers } from './timers/timers.js';
import { showExecution } from './visibility/store.js';
import { isRunning } from './workflow-tasks/schedule.js';

export { GrpcError } from './base/grpc-error.js';
export type { Limits } from './model/server.js';

export interface RpcCall {
  service: 'WorkflowService' | 'OperatorService' | 'HealthService';
  /** In PascalCase, such as `StartWorkflowExecution`. */
  rpc: string;
  /** The decoded message. */
  request: object;
  signal?: AbortSignal;
}

/** A run, for those who judge. */
export interface ExecutionView {
  readonly workflowId: string;
  readonly runId: string;
  readonly firstRunId: string;
  readonly type: string;
  readonly status: temporal.api.enums.v1.WorkflowExecutionStatus;
  readonly history: readonly HistoryEvent[];
  readonly startedAt: number;
  readonly closedAt: number | undefined;
  readonly memo: Readonly<Record<string, Payload>>;
  readonly searchAttributes: Readonly<Record<string, Payload>>;
  readonly parent: { readonly workflowId: string; readonly runId: string } | undefined;
}

export interface SimulatedServer {
  /** Answers a call; rejects with GrpcError. Long polls answer late, or with an empty message. */
  call(call: RpcCall): Promise<object>;
  /** Everything that ever ran, in the order in which it began. */
  executions(): readonly ExecutionView[];
}

export interface ServerOptions {
  clock: Clock;
  draw: Draw;
  /** `default` where nothing is said. */
  namespace?: string;
  /** Whether the namespace has the search attributes of the product. It has. */
  searchAttributes?: boolean;
  limits?: Partial<Limits>;
}

const LIMITS: Limits = {
  suggestContinueAsNewCount: 4_096,
  suggestContinueAsNewBytes: 4 * 1_024 * 1_024,
  pollMs: 60_000,
  longPollMs: 20_000,
  shortestTimerMs: 1_000,
  visibilityLagMs: 200,
  queryMs: 10_000,
  continueAsNewMinMs: 1_000,
};

const PRODUCT_ATTRIBUTES: readonly [string, string][] = [
  ['GcorePhase', 'Keyword'],
  ['GcoreAccount', 'Keyword'],
  ['GcoreResourceId', 'KeywordList'],
  ['GcoreLabels', 'KeywordList'],
];

/** A Temporal server in this process, in virtual time. The same draw makes the same choices. */
export function createServer(options: ServerOptions): SimulatedServer {
  const everything: Execution[] = [];
  const server = createState(options, everything);
  const handlers = handlersOf(server);
  return {
    async call({ service, rpc, request, signal }) {
      if (service === 'HealthService') return { status: SERVING };
      const handler = handlers[service][rpc];
      if (handler === undefined) throw new GrpcError(Code.unimplemented, `unknown method ${rpc}`);
      checkNamespace(server, rpc, request);
      return handler(request, { signal });
    },
    executions: () => everything,
  };
}

const SERVING = 1;

/** Calls that look up a namespace themselves. */
const WITHOUT_NAMESPACE: ReadonlySet<string> = new Set(['DescribeNamespace', 'UpdateNamespace']);

function checkNamespace(server: Server, rpc: string, request: object): void {
  if (WITHOUT_NAMESPACE.has(rpc) || !('namespace' in request)) return;
  const { namespace } = request;
  if (typeof namespace !== 'string' || namespace === '') return;
  if (namespace !== server.namespace.name) throw namespaceNotFound(namespace);
}

function createState(options: ServerOptions, everything: Execution[]): Server {
  const draw = options.draw.fork('server');
  const server: Server = {
    clock: options.clock,
    draw,
    limits: { ...LIMITS, ...options.limits },
    namespace: {
      name: options.namespace ?? 'default',
      id: drawId(draw),
      data: {},
      description: '',
      ownerEmail: '',
    },
    clusterId: drawId(draw),
    searchAttributes: new Map(options.searchAttributes === false ? [] : PRODUCT_ATTRIBUTES),
    executions: { byRun: new Map(), current: new Map() },
    queues: { workflow: new Map(), activity: new Map() },
    visibility: { shown: new Map(), told: new Map() },
    hooks: {
      created: (execution) => {
        everything.push(execution);
      },
      closed: (execution) => {
        afterClose(server, execution);
      },
      changed: (execution) => {
        changed(server, execution);
      },
    },
  };
  return server;
}

function changed(server: Server, execution: Execution): void {
  if (isRunning(execution)) {
    watchTimers(server, execution);
    watchActivities(server, execution);
    watchRun(server, execution);
  }
  showExecution(server, execution);
}

function handlersOf(server: Server): Record<'WorkflowService' | 'OperatorService', Handlers> {
  const schedules = scheduleHandlers(server);
  server.hooks.closed = (execution) => {
    afterClose(server, execution);
    schedules.closed(execution);
  };
  return {
    WorkflowService: {
      ...executionHandlers(server),
      ...historyHandlers(server),
      ...describeHandlers(server),
      ...workerHandlers(server),
      ...activityHandlers(server),
      ...manageHandlers(server),
      ...namespaceHandlers(server),
      ...schedules.handlers,
    },
    OperatorService: operatorHandlers(server),
  };
}
