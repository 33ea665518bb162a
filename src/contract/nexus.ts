/** The operations as a Nexus service: what a workflow of another namespace calls. */
import { operation, service, type OperationDefinition } from 'nexus-rpc';

import { Operation } from './wire/names.js';
import type { Urgency } from '../engine/core/names.js';
import type { Operations } from './operations/index.js';

/** The endpoint that `gcore-workflows dev` creates. Production may choose another name. */
export const NEXUS_ENDPOINT = 'gcore-workflows';

/** What a caller hands to an operation. */
export interface NexusRequest<O extends Operation> {
  /**
   * The caller's name for this request, as for `start` of the client: one id never creates two of
   * anything. Without it each call is a request of its own, except for `protectIp`, whose id is the address.
   */
  requestId?: string;
  input: Operations[O]['input'];
  /** Which calls go out first when several runs wait for the request budget of one account. */
  urgency?: Urgency;
  /**
   * What happens when the request has an open or successful run with another input: `refuse` (default)
   * fails the call with `CONFLICT`; `join` takes that run and ignores the input.
   */
  onConflict?: 'refuse' | 'join';
}

/** The type of the `ApplicationFailure` behind a `CONFLICT`. Its details are `{ advice, state, paths }`. */
export const REQUEST_CONFLICT = 'RequestConflict';

type PartialOperations = Record<string, ReturnType<typeof operation>>;
type NexusOperations = {
  [O in Operation]: OperationDefinition<NexusRequest<O>, Operations[O]['result']>;
};

/** One Nexus operation for each operation, under the same name. */
export const gcoreWorkflowsService = service('gcore-workflows', nexusOperations());

function nexusOperations(): NexusOperations;
function nexusOperations(): PartialOperations {
  return Object.fromEntries(Object.values(Operation).map((name) => [name, operation()]));
}
