import type { Metric } from '../engine/core/metrics.js';

/**
 * The metrics of the product, next to those of Temporal's SDK (`temporal_…`). With `workflow-metrics.ts` this is the
 * only place with their names; `docs/metrics.md` is checked against both.
 */

/** From a quick answer to the end of the longest exchange. */
const EXCHANGE = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];
/** From the next free permit to the longest wait of a call. */
const TURN = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800];
const PAGE = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Emitted by activities and by the process of a worker. */
export const WORKER_METRICS = {
  apiRequests: {
    name: 'gcore_api_requests_total',
    kind: 'counter',
    labels: ['account', 'area', 'operation', 'class'],
    help: 'Requests that were sent to the API. operation: the activity. class: 2xx, 3xx, 401, 403, 404, 409, 429, 4xx, 5xx, timeout, connection_lost, not_connected or cancelled',
  },
  apiRequestDuration: {
    name: 'gcore_api_request_duration_seconds',
    kind: 'histogram',
    labels: ['account', 'area', 'operation'],
    help: 'Time from the first byte of a request to the last byte of its answer, or to its failure',
    buckets: EXCHANGE,
  },
  apiCallsHeld: {
    name: 'gcore_api_calls_held_total',
    kind: 'counter',
    labels: ['account', 'area', 'reason'],
    help: 'Calls that were not sent. reason: breaker, key, rate, late, withdrawn or stopping',
  },
  apiBudgetWait: {
    name: 'gcore_api_budget_wait_seconds',
    kind: 'histogram',
    labels: ['account', 'lane'],
    help: 'Time that a call waited for its turn in the request budget. lane: urgent, normal, watch or bulk',
    buckets: TURN,
  },
  apiBudget: {
    name: 'gcore_api_budget_requests_per_second',
    kind: 'gauge',
    labels: ['account'],
    help: 'Share of the configured request budget that this process has',
  },
  apiLearnedRate: {
    name: 'gcore_api_learned_requests_per_second',
    kind: 'gauge',
    labels: ['account'],
    help: 'Requests a second that this process sends at most, as learned from the 429s of the API; equal to the budget while there are none',
  },
  apiWaitingCalls: {
    name: 'gcore_api_waiting_calls',
    kind: 'gauge',
    labels: ['account'],
    help: 'Calls that wait for their turn now',
  },
  apiBreakersOpen: {
    name: 'gcore_api_breakers_open',
    kind: 'gauge',
    labels: ['account', 'area'],
    help: 'Parts of an API area that do not answer, as seen by this process: whole areas, regions of the area cloud, and collections such as instances',
  },
  apiKeyRefused: {
    name: 'gcore_api_key_refused',
    kind: 'gauge',
    labels: ['account', 'area'],
    help: '1 while an API area refuses the key of the account',
  },
  watchedTasks: {
    name: 'gcore_watched_tasks',
    kind: 'gauge',
    labels: ['account'],
    help: 'Tasks of the API that this process watches now',
  },
  taskListReadable: {
    name: 'gcore_task_list_readable',
    kind: 'gauge',
    labels: ['account'],
    help: '0 while the list of tasks cannot be read, although the API answers',
  },
  webhookDeliveries: {
    name: 'gcore_webhook_deliveries_total',
    kind: 'counter',
    labels: ['account', 'outcome'],
    help: 'Tries to deliver a webhook. outcome: delivered, refused (the receiver answered with no 2xx), gone (410), unreachable, busy, not_allowed or defect (of the worker)',
  },
  runs: {
    name: 'gcore_runs',
    kind: 'gauge',
    labels: ['operation', 'phase'],
    help: 'Open runs of the namespace, counted by each worker every minute; take the maximum. phase: running, paused, blocked or rolling-back. Missing where the namespace lacks the search attributes',
  },
  runsCountedAt: {
    name: 'gcore_runs_counted_timestamp_seconds',
    kind: 'gauge',
    labels: [],
    help: 'When gcore_runs was last counted, in seconds since the epoch',
  },
  workerReady: {
    name: 'gcore_worker_ready',
    kind: 'gauge',
    labels: ['check'],
    help: '1 while a check of /readyz passes; check "all" is the whole',
  },
  workerClockSkew: {
    name: 'gcore_worker_clock_skew_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Difference between the clocks of this machine and of the Temporal server, without sign',
  },
  workerEventLoopDelay: {
    name: 'gcore_worker_event_loop_delay_seconds',
    kind: 'gauge',
    labels: [],
    help: 'Longest time in the last 15 s for which the process did nothing else',
  },
  workerInfo: {
    name: 'gcore_worker_info',
    kind: 'gauge',
    labels: ['version', 'build'],
    help: 'Always 1. build: the build id of the workflow code, as deploy build prints it',
  },
} as const satisfies Record<string, Metric>;

/** Served by the gateway itself, at /metrics. */
export const GATEWAY_METRICS = {
  requests: {
    name: 'gcore_gateway_requests_total',
    kind: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Answers of the gateway. route: the pattern of the path',
  },
  requestDuration: {
    name: 'gcore_gateway_request_duration_seconds',
    kind: 'histogram',
    labels: ['route'],
    help: 'Time from a request to the begin of its answer; long polls wait on purpose',
    buckets: PAGE,
  },
  audited: {
    name: 'gcore_gateway_audited_total',
    kind: 'counter',
    labels: ['action', 'outcome'],
    help: 'Lines of the audit log. action: start, retry, upload, delete-upload, input, result, report, or what was asked of a run. outcome: done, or the code of the problem',
  },
  openStreams: {
    name: 'gcore_gateway_open_streams',
    kind: 'gauge',
    labels: [],
    help: 'Open event streams and long polls',
  },
  ready: {
    name: 'gcore_gateway_ready',
    kind: 'gauge',
    labels: [],
    help: '1 when the Temporal server answered the last check, 0 when it did not or the gateway ends',
  },
} as const satisfies Record<string, Metric>;
