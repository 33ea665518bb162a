import type { RunPolicy } from '../../contract/run-policy.js';

/** What the worker adds to an input: defaults, how to wait. Never the body itself. */
export interface PreparedRun {
  account: string;
  /** Missing where a run makes nothing that could be removed or kept. */
  onFailure?: 'rollback' | 'keep';
  /** Missing in runs that started before it was there: they fail, as they did then. */
  onBlocked?: 'wait' | 'fail';
  /** Nothing is to be changed: what the run would do is its result. */
  planOnly?: true;
  /** From the start of the run. */
  deadlineMs?: number;
  policy: RunPolicy;
  /** Temporal's key for the calls of a run that was started without one. */
  priorityKey?: number;
}

/** Of a run that sends what the API would do twice: how that is found again. */
export interface PreparedSender extends PreparedRun {
  onFailure: 'rollback' | 'keep';
  /** An earlier run of this id was terminated then: a call of it may still be on its way. */
  cutShortAt?: number;
  marker: string;
}

/** Of a run that makes things of the cloud: where, too. */
export interface PreparedMaker extends PreparedSender {
  projectId: number;
  regionId: number;
}

/** Other runs of the same id that have ended. */
export interface EarlierRuns {
  /** When the first of them began, in milliseconds since the epoch; missing when there were none. */
  since?: number;
  /** Of the lists that they were about. */
  digests: string[];
}

export interface PrepareDeps {
  /** Project and region used when an input names none. */
  defaults: { projectId?: number | undefined; regionId?: number | undefined };
  policy: RunPolicy;
  /** When an earlier run of the id was last ended from outside, in milliseconds since the epoch. */
  cutShortAt?: (workflowId: string) => Promise<number | undefined>;
  earlierRuns?: (workflowId: string) => Promise<EarlierRuns>;
}
