import { randomUUID } from 'node:crypto';

import type { Client } from '@temporalio/client';

import { FailureType, type Fault } from '../engine/core/failures.js';
import { faultFinding } from '../engine/core/faults.js';
import { DEFAULT_ACCOUNT, planIdFor } from '../engine/core/names.js';
import { labelsOfRun } from '../contract/batch-items.js';
import { requestIdOfRun, workflowIdFor } from '../contract/wire/names.js';
import type { Operations } from '../contract/operations/index.js';
import { plannedSchema } from '../contract/documents.js';
import type { Plan } from '../engine/schema/documents.js';
import { InvalidInputError, RunFailedError } from './errors.js';
import { sendableInput, refuseUnfit, type ClearSecretsNow } from './runnable-input.js';
import { requestIdFrom } from './operations.js';
import { awaitEnd } from './await-result.js';
import { withLabels } from './start-once.js';

export interface PlanRequest<O extends keyof Operations> {
  input: Operations[O]['input'];
  /**
   * The id of the planned request. The plan finds what earlier tries of this request created.
   * `protectIp` needs none, as in `start`.
   */
  requestId?: string;
  /** Instead of the id built from the operation, the account and `requestId`. */
  workflowId?: string;
}

export interface PlanOptions {
  /** Called repeatedly while the Temporal server does not answer. */
  onServerAway?: () => void;
}

/** Plans show what a run would do. They change nothing. */
export interface Plans {
  /**
   * What a run would do: findings, resources it would adopt, calls. Changes nothing at the API, and
   * needs a worker. An invalid input gives a plan that is not ready.
   * @throws RunFailedError, RunCancelledError
   */
  plan<O extends keyof Operations>(operation: O, request: PlanRequest<O>): Promise<Plan>;
  /** Starts a plan. @throws InvalidInputError */
  startPlan<O extends keyof Operations>(
    operation: O,
    request: PlanRequest<O>,
  ): Promise<{ workflowId: string }>;
  /** Waits for a started plan. @throws RunFailedError, RunCancelledError, RunNotFoundError */
  planOf(workflowId: string, options?: PlanOptions): Promise<Plan>;
}

interface Start {
  client: Client;
  taskQueue: string;
  clearSecrets: ClearSecretsNow;
}

export function createPlans(deps: Start): Plans {
  const { client } = deps;
  const plans: Plans = {
    async plan(operation, request) {
      try {
        const { workflowId } = await plans.startPlan(operation, request);
        return await plans.planOf(workflowId);
      } catch (error) {
        const faults = faultsOf(error);
        if (faults === undefined) throw error;
        return planOfFaults(operation, faults);
      }
    },

    startPlan: (operation, request) => startPlan(deps, operation, request),

    async planOf(workflowId, { onServerAway } = {}) {
      return plannedSchema.parse(await awaitEnd(client, { workflowId, onServerAway })).plan;
    },
  };
  return plans;
}

async function startPlan<O extends keyof Operations>(
  { client, taskQueue, clearSecrets }: Start,
  operation: O,
  { input, requestId, workflowId: ownId }: PlanRequest<O>,
): Promise<{ workflowId: string }> {
  refuseUnfit({ operation, input, requestId, workflowId: ownId });
  const parsed = sendableInput(operation, input, await clearSecrets(operation, input));
  if (!parsed.ok) throw new InvalidInputError(parsed.faults);
  const account = parsed.value.account ?? DEFAULT_ACCOUNT;
  const knownId = requestId ?? requestIdFrom(operation, parsed.value);
  const request = ownId ?? workflowIdFor(operation, account, knownId ?? randomUUID());
  // Each plan is a new run: it shows the state of the API now.
  const workflowId = planIdFor(request, randomUUID().slice(0, 8));
  const options = {
    workflowId,
    taskQueue,
    args: [{ ...input, planOnly: true }],
    staticSummary: `plan of ${request}`,
  };
  // Until a worker takes it, only they say what a batch is of.
  await withLabels(labelsOfRun(parsed.value, requestIdOfRun(request) ?? request), {
    options,
    send: (labelled) => client.workflow.start(operation, labelled),
  });
  return { workflowId };
}

/** The faults of an input. The client finds most; the worker finds those that depend on its defaults. */
export function faultsOf(error: unknown): readonly Fault[] | undefined {
  if (error instanceof InvalidInputError) return error.faults;
  const isInput = error instanceof RunFailedError && error.type === FailureType.invalidInput;
  return isInput ? error.details.faults : undefined;
}

/** The plan of an invalid input. It read nothing from the API. */
export function planOfFaults(operation: keyof Operations, faults: readonly Fault[]): Plan {
  return {
    operation,
    ready: false,
    findings: faults.map(faultFinding),
    adopts: [],
    irreversible: [],
    calls: [],
  };
}
