import type { Payload, Status } from '../base/proto.js';
import type { Execution } from './execution.js';

/** What the visibility store knows of a run: it is a little behind. */
export interface VisibleRun {
  readonly execution: Execution;
  readonly status: Status;
  readonly closedAt: number | undefined;
  readonly memo: Record<string, Payload>;
  readonly searchAttributes: Record<string, Payload>;
  readonly historyLength: number;
  readonly historySizeBytes: number;
  readonly stateTransitions: number;
}

export interface Visibility {
  /** What a list shows, by the id of the run. */
  readonly shown: Map<string, VisibleRun>;
  /** What is on its way there. */
  readonly told: Map<string, VisibleRun>;
}
