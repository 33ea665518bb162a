import proto from '@temporalio/proto';
import type { temporal } from '@temporalio/proto';

import type {
  Command,
  CompletedMetadata,
  Failure,
  Message,
  Payloads,
  QueryResult,
  WorkflowTask,
} from '../messages.js';
import { ofPayload } from '../messages.js';
import type { RpcCall } from '../link.js';
import type { CallOptions, Connection } from './connection.js';

const { QueryResultType, TaskQueueKind, WorkerVersioningMode } = proto.temporal.api.enums.v1;

type Api = typeof temporal.api.workflowservice.v1;
type Token = Uint8Array;

interface Answers {
  PollWorkflowTaskQueue: WorkflowTask;
  PollActivityTaskQueue: temporal.api.workflowservice.v1.IPollActivityTaskQueueResponse;
  RespondWorkflowTaskCompleted: temporal.api.workflowservice.v1.IRespondWorkflowTaskCompletedResponse;
  RespondWorkflowTaskFailed: object;
  RespondQueryTaskCompleted: object;
  RespondActivityTaskCompleted: object;
  RespondActivityTaskFailed: object;
  RespondActivityTaskCanceled: object;
  RecordActivityTaskHeartbeat: temporal.api.workflowservice.v1.IRecordActivityTaskHeartbeatResponse;
  GetWorkflowExecutionHistory: temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse;
  DescribeNamespace: temporal.api.workflowservice.v1.IDescribeNamespaceResponse;
  ShutdownWorker: object;
}

type Rpc = keyof Answers &
  keyof { [K in keyof Api as K extends `${infer R}Request` ? R : never]: 1 };

/** The server answers each method with the message of its name. */
function isAnswer<K extends Rpc>(rpc: K, answer: object): answer is Answers[K] {
  return rpc.length > 0 && typeof answer === 'object';
}

/** How a worker is known to the server. */
export interface WorkerIdentity {
  readonly identity: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly instanceKey: string;
  readonly buildId: string;
  readonly usesBuildIdVersioning: boolean;
  readonly deployment:
    { deploymentName: string; buildId: string; isVersioned: boolean } | undefined;
}

export interface TaskCompletion {
  taskToken: Token;
  commands: Command[];
  messages: Message[];
  queryResults: QueryResult[];
  forcesNewTask: boolean;
  metadata: CompletedMetadata;
  localRetries: number;
  versioningBehavior: temporal.api.enums.v1.VersioningBehavior;
}

export interface StickyQueue {
  readonly name: string;
  readonly scheduleToStartMs: temporal.api.taskqueue.v1.IStickyExecutionAttributes['scheduleToStartTimeout'];
}

export interface QueryAnswer {
  taskToken: Token;
  result?: QueryResult | null;
  failure?: Failure | null;
  cause?: temporal.api.enums.v1.WorkflowTaskFailedCause;
}

/** The calls that a worker makes. */
export class WorkerCalls {
  connection: Connection;
  readonly worker: WorkerIdentity;

  constructor(connection: Connection, worker: WorkerIdentity) {
    this.connection = connection;
    this.worker = worker;
  }

  pollWorkflowTask(sticky: StickyQueue | undefined, options: Partial<CallOptions>) {
    const { taskQueue } = this.worker;
    return this.#call(
      'PollWorkflowTaskQueue',
      {
        taskQueue:
          sticky === undefined
            ? { name: taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL, normalName: '' }
            : {
                name: sticky.name,
                kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY,
                normalName: taskQueue,
              },
        ...this.#polling(),
      },
      { kind: 'taskPoll', ...options },
    );
  }

  pollActivityTask(maxPerSecond: number | null, options: Partial<CallOptions>) {
    return this.#call(
      'PollActivityTaskQueue',
      {
        taskQueue: {
          name: this.worker.taskQueue,
          kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
          normalName: '',
        },
        taskQueueMetadata:
          maxPerSecond === null ? null : { maxTasksPerSecond: { value: maxPerSecond } },
        ...this.#polling(),
      },
      { kind: 'taskPoll', ...options },
    );
  }

  completeWorkflowTask(completion: TaskCompletion, sticky: StickyQueue | undefined) {
    return this.#call('RespondWorkflowTaskCompleted', {
      taskToken: completion.taskToken,
      commands: completion.commands,
      messages: completion.messages,
      stickyAttributes:
        sticky === undefined
          ? null
          : {
              workerTaskQueue: {
                name: sticky.name,
                kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY,
                normalName: this.worker.taskQueue,
              },
              scheduleToStartTimeout: sticky.scheduleToStartMs ?? null,
            },
      // A task that is returned is always partial: without a cache it is of no use.
      returnNewWorkflowTask: sticky !== undefined,
      forceCreateNewWorkflowTask: completion.forcesNewTask,
      workerVersionStamp: this.#stamp(),
      queryResults: Object.fromEntries(completion.queryResults.map(toQueryEntry)),
      sdkMetadata: completion.metadata,
      meteringMetadata: { nonfirstLocalActivityExecutionAttempts: completion.localRetries },
      capabilities: { discardSpeculativeWorkflowTaskWithEvents: true },
      versioningBehavior: completion.versioningBehavior,
      deploymentOptions: this.#deployment(),
      workerInstanceKey: this.worker.instanceKey,
    });
  }

  failWorkflowTask(
    taskToken: Token,
    cause: temporal.api.enums.v1.WorkflowTaskFailedCause,
    failure: Failure | null,
  ) {
    const deploymentOptions = this.#deployment();
    const workerVersion = this.#stamp();
    const request = { taskToken, cause, failure, workerVersion, deploymentOptions };
    return this.#call('RespondWorkflowTaskFailed', request);
  }

  answerQuery({ taskToken, result, failure, cause }: QueryAnswer) {
    const [, answer] = toQueryEntry(result ?? { failed: failure ?? {} });
    return this.#call('RespondQueryTaskCompleted', {
      taskToken,
      completedType: answer.resultType,
      queryResult: answer.answer,
      errorMessage: answer.errorMessage,
      failure: failure ?? null,
      cause: cause ?? 0,
    });
  }

  completeActivity(taskToken: Token, result: Payloads | null) {
    return this.#call('RespondActivityTaskCompleted', { taskToken, result, ...this.#versions() });
  }

  failActivity(taskToken: Token, failure: Failure | null, lastHeartbeatDetails: Payloads | null) {
    const request = { taskToken, failure, lastHeartbeatDetails, ...this.#versions() };
    return this.#call('RespondActivityTaskFailed', request);
  }

  cancelActivity(taskToken: Token, details: Payloads | null) {
    return this.#call('RespondActivityTaskCanceled', { taskToken, details, ...this.#versions() });
  }

  heartbeat(taskToken: Token, details: Payloads | null) {
    return this.#call('RecordActivityTaskHeartbeat', { taskToken, details });
  }

  history(workflowId: string, runId: string, nextPageToken: Uint8Array) {
    const request = { execution: { workflowId, runId }, nextPageToken };
    return this.#call('GetWorkflowExecutionHistory', request);
  }

  describeNamespace() {
    return this.#call('DescribeNamespace', {});
  }

  shutdown(stickyTaskQueue: string, taskQueueTypes: number[]) {
    return this.#call(
      'ShutdownWorker',
      {
        stickyTaskQueue,
        reason: 'graceful shutdown',
        workerInstanceKey: this.worker.instanceKey,
        taskQueue: this.worker.taskQueue,
        taskQueueTypes,
      },
      { kind: 'once' },
    );
  }

  async #call<K extends Rpc>(
    rpc: K,
    fields: object,
    options: CallOptions = { kind: 'normal' },
  ): Promise<Answers[K]> {
    const { identity, namespace } = this.worker;
    const request = { namespace, identity, ...fields };
    const call: RpcCall = { service: 'WorkflowService', rpc, request };
    const answer = await this.connection.call(call, options);
    if (!isAnswer(rpc, answer)) throw new Error(`no answer to ${rpc}`);
    return answer;
  }

  #polling() {
    const { buildId, usesBuildIdVersioning, instanceKey } = this.worker;
    return {
      workerVersionCapabilities: this.connection.capabilities.buildIdBasedVersioning
        ? { buildId, useVersioning: usesBuildIdVersioning }
        : null,
      deploymentOptions: this.#deployment(),
      workerInstanceKey: instanceKey,
    };
  }

  #stamp() {
    const { buildId, usesBuildIdVersioning } = this.worker;
    return this.connection.capabilities.buildIdBasedVersioning
      ? { buildId, useVersioning: usesBuildIdVersioning }
      : null;
  }

  #versions() {
    return { workerVersion: this.#stamp(), deploymentOptions: this.#deployment() };
  }

  #deployment() {
    const { deployment } = this.worker;
    if (deployment === undefined) return null;
    const { deploymentName, buildId, isVersioned } = deployment;
    return {
      deploymentName,
      buildId,
      workerVersioningMode: isVersioned
        ? WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED
        : WorkerVersioningMode.WORKER_VERSIONING_MODE_UNVERSIONED,
    };
  }
}

type QueryEntry = [id: string, answer: temporal.api.query.v1.IWorkflowQueryResult];

function toQueryEntry(result: QueryResult): QueryEntry {
  const id = result.queryId ?? '';
  if (result.succeeded !== null && result.succeeded !== undefined) {
    const resultType = QueryResultType.QUERY_RESULT_TYPE_ANSWERED;
    return [id, { resultType, answer: ofPayload(result.succeeded.response), errorMessage: '' }];
  }
  const errorMessage = result.failed ? (result.failed.message ?? '') : 'Query response was empty';
  const resultType = QueryResultType.QUERY_RESULT_TYPE_FAILED;
  return [id, { resultType, answer: null, errorMessage }];
}
