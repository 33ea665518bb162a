import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ClientOptions,
} from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

import { openCodec, type CodecKeys } from '../codec/open-codec.js';
import type { ClearSecrets } from '../contract/clear-secrets.js';
import { toIdentity } from '../engine/core/identity.js';
import { createGcoreThrough, type GcoreWorkflows } from './gcore-workflows.js';
import { pastProxies } from './past-proxies.js';
import type { UploadLimits } from './uploads/kept-lists.js';
import { endRequestsWith, isTooLong, trackCalls, type Calls } from './server-calls.js';

export interface ConnectedGcoreWorkflows extends GcoreWorkflows {
  /** Also ends open calls. A waiting `result` would outlive the connection and fail later. */
  close(): Promise<void>;
}

/** gRPC's own back-off grows to minutes. A caller should notice within seconds that the server is back. */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2000,
} as const;

export interface ConnectOptions {
  /** Address, namespace, TLS, API key; by default from Temporal's environment variables and `temporal.toml`. */
  config?: ReturnType<typeof loadClientConnectConfig>;
  /** Who uses the client: see `GcoreWorkflowsOptions`. */
  identity?: string;
  /** Longest wait for a server that does not answer; 10 seconds by default. */
  connectTimeoutMs?: number;
  /**
   * The keys with which payloads are encrypted, the same as the workers have: `{ file }`, which is read again when it
   * changes, or `{ current, keys }`. Without them payloads stay in clear, and encrypted ones cannot be read.
   */
  codec?: CodecKeys | undefined;
  /** Told when the file of the keys cannot be used any more. The keys before it stay in use. */
  onCodecFault?: (fault: string) => void;
  /** Of Temporal's client, such as those of `@temporalio/interceptors-opentelemetry`: docs/observe.md. */
  interceptors?: NonNullable<ClientOptions['interceptors']>;
  /** As in `createGcoreWorkflows`. */
  clearSecrets?: ClearSecrets;
  /** As in `createGcoreWorkflows`. */
  uploadLimits?: Partial<UploadLimits>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Connects with Temporal's own configuration (`TEMPORAL_ADDRESS`, `TEMPORAL_NAMESPACE`, TLS, API key,
 * `temporal.toml`), like the `temporal` CLI and the other SDKs.
 *
 * @throws FileFaultError when `codec` cannot be used, with every fault
 * @example
 * const gcore = await connectGcoreWorkflows();
 * const run = await gcore.start('provisionInstance', { requestId: 'order-4711', input });
 * const { instanceId } = await gcore.result('provisionInstance', run);
 */
export async function connectGcoreWorkflows(
  options: ConnectOptions = {},
): Promise<ConnectedGcoreWorkflows> {
  const { config = loadClientConnectConfig(), connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const { onCodecFault: onFault, interceptors = {} } = options;
  const codec = await openCodec(options.codec, { ...(onFault && { onFault }) });
  const identity = options.identity !== undefined && { identity: toIdentity(options.identity) };
  const closing = new AbortController();
  const connection = await Connection.connect({
    ...config.connectionOptions,
    connectTimeout: connectTimeoutMs,
    channelArgs: { ...RECONNECT, ...pastProxies(config.connectionOptions.address) },
    interceptors: [retriesUntil(closing.signal)],
  });
  endRequestsWith(closing.signal, connection);
  const client = new Client({
    connection,
    namespace: config.namespace ?? 'default',
    dataConverter: { payloadCodecs: [codec] },
    interceptors,
    ...identity,
  });
  const { clearSecrets, uploadLimits } = options;
  const { call, settled } = trackCalls();
  const given = { ...(clearSecrets && { clearSecrets }), ...(uploadLimits && { uploadLimits }) };
  const gcore = createGcoreThrough({ client, ...given }, call);
  return {
    ...tracked(gcore, call),
    async close() {
      closing.abort();
      // The SDK retries a call from a timer that nothing can stop. On a closed connection that retry
      // throws where nobody can catch it, and ends the process.
      await settled();
      await connection.close();
    },
  };
}

/** The same methods, whose calls end with the connection. */
function tracked(gcore: GcoreWorkflows, call: Calls['call']): GcoreWorkflows {
  return {
    start: (operation, request) => call(() => gcore.start(operation, request)),
    plan: (operation, request) => call(() => gcore.plan(operation, request)),
    startPlan: (operation, request) => call(() => gcore.startPlan(operation, request)),
    planOf: (workflowId, options) => call(() => gcore.planOf(workflowId, options)),
    status: (run) => call(() => gcore.status(run)),
    result: (operation, run, options) => call(() => gcore.result(operation, run, options)),
    importResults: (run, options) => gcore.importResults(run, options),
    report: (run) => call(() => gcore.report(run)),
    batchReport: (run) => call(() => gcore.batchReport(run)),
    operationOf: (workflowId) => call(() => gcore.operationOf(workflowId)),
    cancel: (run) => call(() => gcore.cancel(run)),
    pause: (run) => call(() => gcore.pause(run)),
    resume: (run, correction, options) => call(() => gcore.resume(run, correction, options)),
    abort: (run, request) => call(() => gcore.abort(run, request)),
    extend: (run, request) => call(() => gcore.extend(run, request)),
    restore: (run) => call(() => gcore.restore(run)),
    hintVideos: (workflowId, videoIds) => call(() => gcore.hintVideos(workflowId, videoIds)),
    retry: (run, options) => call(() => gcore.retry(run, options)),
    resendWebhooks: (workflowId, events) => call(() => gcore.resendWebhooks(workflowId, events)),
    upload: (operation, lines, options) => call(() => gcore.upload(operation, lines, options)),
    uploads: (account) => call(() => gcore.uploads(account)),
    deleteUpload: (upload, options) => call(() => gcore.deleteUpload(upload, options)),
    explain: (run, options) => call(() => gcore.explain(run, options)),
    list: (filter) => call(() => gcore.list(filter)),
    page: (filter) => call(() => gcore.page(filter)),
    counts: (filter) => call(() => gcore.counts(filter)),
    history: (run, mostBytes) => call(() => gcore.history(run, mostBytes)),
    failure: (workflowId) => call(() => gcore.failure(workflowId)),
    summary: (run, options) => call(() => gcore.summary(run, options)),
    pollers: (account) => call(() => gcore.pollers(account)),
    check: (wanted) => call(() => gcore.check(wanted)),
    endingWithin: (ms, work) => gcore.endingWithin(ms, work),
    as: (identity) => tracked(gcore.as(identity), call),
    schedules: {
      create: (operation, request) => call(() => gcore.schedules.create(operation, request)),
      list: (filter) => call(() => gcore.schedules.list(filter)),
      show: (scheduleId) => call(() => gcore.schedules.show(scheduleId)),
      pause: (scheduleId, reason) => call(() => gcore.schedules.pause(scheduleId, reason)),
      resume: (scheduleId) => call(() => gcore.schedules.resume(scheduleId)),
      trigger: (scheduleId) => call(() => gcore.schedules.trigger(scheduleId)),
      delete: (scheduleId) => call(() => gcore.schedules.delete(scheduleId)),
    },
  };
}

/** The SDK's own retries, until the connection is being closed, and not of what would fail in the same way. */
export function retriesUntil(closing: AbortSignal): ReturnType<typeof makeGrpcRetryInterceptor> {
  const retries = defaultGrpcRetryOptions();
  return makeGrpcRetryInterceptor({
    ...retries,
    retryableDecider: (attempt, failed) =>
      !closing.aborted && !isTooLong(failed) && retries.retryableDecider(attempt, failed),
  });
}
