import proto from '@temporalio/proto';
import type { native } from '@temporalio/core-bridge';

import type { Clock } from '../time/clock.js';
import type { Draw } from '../time/draw.js';
import { currentProcess } from '../time/processes.js';
import { Connection } from './client/connection.js';
import { createHome } from './client/home.js';
import { connectClient, NativeClient, sendRequest } from './client/native-client.js';
import type { Link } from './link.js';
import { ReplayHistories } from './worker/replay-histories.js';
import { CoreWorker, type Nondeterminism } from './worker/core-worker.js';

type Native = typeof native;

export interface NativeOptions {
  clock: Clock;
  draw: Draw;
  linkTo: (targetUrl: string) => Link | undefined;
  maxPolls: number;
  onNondeterminism: (found: Nondeterminism) => void;
  onWorker: (worker: CoreWorker) => void;
}

const { WorkflowActivationCompletion } = proto.coresdk.workflow_completion;
const { ActivityHeartbeat, ActivityTaskCompletion } = proto.coresdk;
const { History } = proto.temporal.api.history.v1;

/** The functions that the SDK has from Rust, for as long as a simulation is installed. */
export function createNativeFunctions(options: NativeOptions): Partial<Native> {
  return { ...clients(options), ...workers(options), ...replays(options), ...runtimes(options) };
}

function clients({ clock, draw, linkTo }: NativeOptions): Partial<Native> {
  const chance = draw.fork('core');
  return {
    newClient: (_runtime, client) =>
      connectClient({
        link: linkTo(client.targetUrl),
        home: createHome(clock, currentProcess()),
        draw: chance,
        sdk: { name: client.clientName, version: client.clientVersion },
      }),
    clientUpdateHeaders: nothing,
    clientUpdateApiKey: nothing,
    clientClose: nothing,
    clientSendWorkflowServiceRequest: (client, call) =>
      sendRequest(toClient(client), 'WorkflowService', call),
    clientSendOperatorServiceRequest: (client, call) =>
      sendRequest(toClient(client), 'OperatorService', call),
    clientSendHealthServiceRequest: (client, call) =>
      sendRequest(toClient(client), 'HealthService', call),
    clientSendTestServiceRequest: notSimulated,
  };
}

function workers({ maxPolls, onNondeterminism, onWorker }: NativeOptions): Partial<Native> {
  return {
    newWorker(client, options) {
      const { connection } = toClient(client);
      const worker = new CoreWorker(connection, { options, maxPolls, onNondeterminism });
      onWorker(worker);
      return worker;
    },
    workerValidate: (worker) => toWorker(worker).validate(),
    workerReplaceClient(worker, client) {
      toWorker(worker).replaceConnection(toClient(client).connection);
    },
    workerPollWorkflowActivation: (worker) => toWorker(worker).pollActivation(),
    workerCompleteWorkflowActivation: async (worker, bytes) =>
      toWorker(worker).completeActivation(WorkflowActivationCompletion.decodeDelimited(bytes)),
    workerPollActivityTask: (worker) => toWorker(worker).pollActivity(),
    workerCompleteActivityTask: async (worker, bytes) =>
      toWorker(worker).completeActivity(ActivityTaskCompletion.decodeDelimited(bytes)),
    workerRecordActivityHeartbeat(worker, bytes) {
      toWorker(worker).heartbeat(ActivityHeartbeat.decodeDelimited(bytes));
    },
    workerPollNexusTask: (worker) => toWorker(worker).pollNexus(),
    workerCompleteNexusTask: notSimulated,
    workerInitiateShutdown(worker) {
      toWorker(worker).initiateShutdown();
    },
    workerFinalizeShutdown: (worker) => toWorker(worker).finalizeShutdown(),
    newResourceBasedController: () => ({ type: 'resource-based-controller' }),
  };
}

/** Workers that replay stored histories, with nobody else around. */
function replays({ clock, draw, onNondeterminism }: NativeOptions): Partial<Native> {
  return {
    newReplayWorker(_runtime, options) {
      const histories = new ReplayHistories();
      const connection = new Connection({
        link: histories.link,
        home: createHome(clock, currentProcess()),
        draw: draw.fork('replay'),
        sdk: { name: 'temporal-typescript', version: '' },
      });
      connection.capabilities = { sdkMetadata: true, buildIdBasedVersioning: true };
      const worker = new CoreWorker(connection, {
        options: { ...options, maxCachedWorkflows: 1, taskTypes: ONLY_WORKFLOWS },
        maxPolls: 1,
        onNondeterminism,
        replays: histories,
      });
      histories.onEnd = () => {
        worker.initiateShutdown();
      };
      return [worker, histories];
    },
    pushHistory(pusher, workflowId, bytes) {
      toHistories(pusher).push(workflowId, History.decodeDelimited(bytes));
      return Promise.resolve();
    },
    closeHistoryStream(pusher) {
      toHistories(pusher).close();
    },
  };
}

const ONLY_WORKFLOWS = {
  enableWorkflows: true,
  enableLocalActivities: false,
  enableRemoteActivities: false,
  enableNexus: false,
};

function toHistories(pusher: native.HistoryPusher): ReplayHistories {
  if (pusher instanceof ReplayHistories) return pusher;
  throw new TypeError('these histories are from outside of the simulation');
}

function runtimes({ clock }: NativeOptions): Partial<Native> {
  return {
    newRuntime: () => ({ type: 'runtime' }),
    runtimeShutdown: nothing,
    getTimeOfDay: () => BigInt(Math.round(clock.now() * 1e6)),
    newEphemeralServer: notSimulated,
    newMetricCounter: () => ({ type: 'metric-counter' }),
    newMetricHistogram: () => ({ type: 'metric-histogram' }),
    newMetricHistogramF64: () => ({ type: 'metric-histogram-f64' }),
    newMetricGauge: () => ({ type: 'metric-gauge' }),
    newMetricGaugeF64: () => ({ type: 'metric-gauge-f64' }),
    newMetricUpDownCounter: () => ({ type: 'metric-up-down-counter' }),
    addMetricCounterValue: nothing,
    recordMetricHistogramValue: nothing,
    recordMetricHistogramF64Value: nothing,
    setMetricGaugeValue: nothing,
    setMetricGaugeF64Value: nothing,
    addMetricUpDownCounterValue: nothing,
    runtimeRetrieveBufferedMetrics: () => [],
  };
}

function nothing(): void {
  // Headers, keys and metrics change nothing in a simulation.
}

function notSimulated(): never {
  throw new Error('this is not simulated');
}

function toClient(client: native.Client): NativeClient {
  if (client instanceof NativeClient) return client;
  throw new TypeError('this client is from outside of the simulation');
}

function toWorker(worker: native.Worker): CoreWorker {
  if (worker instanceof CoreWorker) return worker;
  throw new TypeError('this worker is from outside of the simulation');
}
