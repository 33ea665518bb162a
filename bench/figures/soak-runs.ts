import type { GcoreWorkflows } from '../../src/client/index.js';
import { MARKER_TAG } from '../../src/contract/wire/names.js';
import { Phase } from '../../src/engine/core/status.js';
import type {
  FaultAction,
  FaultRule,
  Simulator,
  SimulatorState,
} from '../../src/simulator/index.js';
import { matrixState } from '../../test/support/operations/matrix-cloud.js';
import { MATRIX_OPERATIONS } from '../../test/support/operations/index.js';
import type { MatrixOperation } from '../../test/support/operations/matrix-operation.js';

/** One request of the soak. */
interface SoakRequest {
  operation: MatrixOperation;
  seed: number;
  requestId: string;
  onFailure: 'rollback';
}

/** The operations in turns. A seed is a resource of its own. */
export function soakRequest(index: number): SoakRequest {
  const operation = MATRIX_OPERATIONS[index % MATRIX_OPERATIONS.length];
  if (operation === undefined) throw new Error('There are no operations');
  const seed = seedOf(index);
  return { operation, seed, requestId: `soak-${index}`, onFailure: 'rollback' };
}

function seedOf(index: number): number {
  return Math.floor(index / MATRIX_OPERATIONS.length) + 1;
}

/** The cloud that so many runs need. */
export function soakState(runs: number): SimulatorState {
  const seeds = Array.from({ length: seedOf(runs) }, (_, index) => index + 1);
  const state = matrixState(() => seeds);
  // The marker of the volumes that earlier runs of the same requests left is that of the run, whose id the gateway gives.
  const volumes = state.volumes.map(({ tags, ...volume }) => {
    const seed = /^default\/seed-(\d+)$/.exec(tags[MARKER_TAG] ?? '')?.[1];
    if (seed === undefined) return { ...volume, tags };
    return { ...volume, tags: { ...tags, [MARKER_TAG]: markerOfProvision(Number(seed)) } };
  });
  return { ...state, volumes };
}

/** The marker of the run of `provisionInstance` with this seed. */
function markerOfProvision(seed: number): string {
  const place = MATRIX_OPERATIONS.findIndex(({ operation }) => operation === 'provisionInstance');
  const index = (seed - 1) * MATRIX_OPERATIONS.length + place;
  return `default/provision-instance/default/${soakRequest(index).requestId}`;
}

export interface SoakVerdict {
  workflowId: string;
  hasFailed: boolean;
  /** Ids that only the ledger has, or only the cloud; and a success that is none. */
  differences: number;
  reason?: string;
}

/** Starts the run over HTTP and waits for its end there. Resolves with its Workflow Id. */
export async function carryOut(gateway: string, request: SoakRequest): Promise<string> {
  const { operation, requestId } = request;
  const input = operation.input({ ...request, name: requestId });
  const answer = await fetch(`${gateway}/v1/runs/${operation.operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': requestId },
    body: JSON.stringify(input),
  });
  if (answer.status !== 202) throw new Error(`${requestId} was refused: ${await answer.text()}`);
  await answer.text();
  const path = answer.headers.get('location') ?? '';
  for (;;) {
    const result = await fetch(`${gateway}${path}/result?wait=50s`);
    await result.text();
    if (result.status !== 202) return decodeURIComponent(path.split('/').at(-1) ?? '');
  }
}

/** Compares what the run says with what exists, when nothing is under way any more. */
export async function judge(
  request: SoakRequest,
  {
    workflowId,
    gcore,
    simulator,
  }: { workflowId: string; gcore: GcoreWorkflows; simulator: Simulator },
): Promise<SoakVerdict> {
  const { operation, requestId, seed, onFailure } = request;
  const status = await gcore.status(workflowId);
  const hasFailed = status.phase !== Phase.succeeded;
  const result: unknown = hasFailed
    ? undefined
    : await gcore.result(operation.operation, workflowId);
  // The marker of a resource holds the Workflow Id; a video has the name that the request gives it.
  const name = operation.operation === 'importVideos' ? requestId : workflowId;
  const { differences, isTrue } = operation.judge({
    seed,
    name,
    onFailure,
    status,
    result,
    simulator,
    isHidden: false,
  });
  const reason = status.failure?.message;
  return {
    workflowId,
    hasFailed,
    differences: differences + (isTrue ? 0 : 1),
    ...(reason !== undefined && { reason }),
  };
}

/** What may happen to any call without harm to its run. */
const ACTIONS: readonly FaultAction[] = [
  { kind: 'drop-request' },
  { kind: 'drop-response' },
  { kind: 'status', status: 502, afterProcessing: true },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 429, retryAfter: '1' },
  { kind: 'status', status: 200, afterProcessing: true, body: '{"tasks": ["' },
  {
    kind: 'status',
    status: 502,
    afterProcessing: true,
    body: '<html>Bad gateway</html>',
    contentType: 'text/html',
  },
  { kind: 'delay', ms: 3_000 },
  { kind: 'hang', afterProcessing: true },
];

/** Faults for this share of all requests, each kind in turn. */
export function soakFaults(share: number): FaultRule[] {
  if (share <= 0) return [];
  const every = Math.round(1 / share);
  return ACTIONS.map((action, index) => ({
    match: { nth: every * (index + 1), every: every * ACTIONS.length, times: Infinity },
    action,
  }));
}
