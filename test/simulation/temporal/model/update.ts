import type { temporal } from '@temporalio/proto';

import type { Failure } from '../base/proto.js';

export type Outcome = temporal.api.update.v1.IOutcome;
export type UpdateRequest = temporal.api.update.v1.IRequest;

export type UpdateState = 'admitted' | 'sent' | 'accepted' | 'completed' | 'aborted';

/** How a wait for an update ends where no outcome will come. */
export type Aborted = { error: Error };

export interface Update {
  readonly id: string;
  state: UpdateState;
  /** Undefined where an UpdateAdmitted event of the history holds it. */
  request: UpdateRequest | undefined;
  admittedAt: number;
  acceptedEventId: number;
  /** Set by a rejection, which leaves nothing in the history. */
  rejection: Failure | undefined;
  outcome: Outcome | undefined;
  aborted: Aborted | undefined;
  /** Called at each change of the state. */
  readonly watchers: Set<() => void>;
}
