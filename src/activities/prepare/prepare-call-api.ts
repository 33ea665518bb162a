import { ApplicationFailure } from '@temporalio/activity';

import { operationSchemas, OPERATIONS } from '../../contract/operations/index.js';
import type { CallApiInput } from '../../contract/operations/types.js';
import {
  adviceForUnlisted,
  describeUnlisted,
  isListed,
  type JudgedCall,
} from '../../contract/wire/api-calls.js';
import { invalidInput } from '../../engine/activities/run-of-activity.js';
import type { Fault } from '../../engine/core/failures.js';
import type { FirstEvent, PreparedChange } from '../../engine/core/prepared-run.js';
import { createPrepareChange } from './prepare-change.js';
import type { PrepareDeps } from './prepare-deps.js';
import { thisRun } from './this-run.js';

export function createPrepareCallApi(deps: PrepareDeps) {
  const { input: schema } = operationSchemas.callApi;
  const { foundBy } = OPERATIONS.callApi;
  const prepare = createPrepareChange<CallApiInput>({ schema, isPlaced: false, foundBy }, deps);
  return {
    /** The same as of other steps. Fails as `InvalidInput` for a call that the worker may not make. */
    async prepareCallApi(input: unknown, first?: FirstEvent): Promise<PreparedChange> {
      const prepared = await prepare(input, first);
      const asked = schema.parse(input);
      const faults = [...unlistedFaults(asked, deps), ...(await earlierFaults(asked, deps, first))];
      if (faults.length > 0) throw invalidInput(faults);
      return prepared;
    },
  };
}

function unlistedFaults(
  { method, path, look, undo }: CallApiInput,
  { callApi: listed = [] }: PrepareDeps,
): Fault[] {
  const calls: (readonly [at: string, call: JudgedCall])[] = [
    ['path', { method, path }],
    ...(look ? [['look.path', { method: 'GET', path: look.path }] as const] : []),
    ...(undo ? [['undo.path', undo] as const] : []),
  ];
  return calls.flatMap(([at, call]) =>
    isListed(listed, call)
      ? []
      : [{ path: at, message: `${describeUnlisted(call)}. ${adviceForUnlisted(call)}` }],
  );
}

/** Without a look nobody can tell what an earlier run of the request has sent: each request has one run. */
async function earlierFaults(
  { look, planOnly }: CallApiInput,
  { earlierRuns }: PrepareDeps,
  first: FirstEvent | undefined,
): Promise<Fault[]> {
  if (look !== undefined || planOnly === true) return [];
  const fault = { path: 'look', message: EARLIER };
  if (first?.ranBefore !== undefined) return [fault];
  const earlier = await earlierRuns?.(thisRun().workflowId);
  if (earlier === undefined) return [];
  if (earlier.digests === 'unknown') {
    // A local activity is repeated until the server can list them.
    throw ApplicationFailure.retryable('the Temporal server cannot list the earlier runs now');
  }
  return earlier.since === undefined ? [] : [fault];
}

const EARLIER =
  'is missing: an earlier run of this request may have sent the call. Add a look, or start under another request id if it was not carried out';
