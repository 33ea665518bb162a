/**
 * Messages of a run, shared by workflow and client. Each answers with the status document.
 *
 * Free of zod.
 */
import { defineQuery, defineUpdate } from '@temporalio/workflow';

import type { StatusDocument } from './status-document.js';

/** Answers with the status document; needs a worker. */
export const statusQuery = defineQuery<StatusDocument>('status');

export interface ResumeRequest {
  /**
   * The whole input anew, with the mistake corrected. Taken only while it still matters: once a
   * thing has been made, another input cannot change it.
   */
  input?: unknown;
}

export interface AbortRequest {
  /** Stands in the failure that the run ends with. */
  reason?: string;
}

/**
 * No new mutation is sent after a pause; what has been sent goes on at the API. Refused when the
 * run is ending.
 */
export const pauseUpdate = defineUpdate<StatusDocument>('pause');

/**
 * A paused or blocked run goes on. Refused when it is neither; fails as `InvalidInput` with every
 * fault when a corrected input is wrong, and the run stays as it was.
 */
export const resumeUpdate = defineUpdate<StatusDocument, [ResumeRequest]>('resume');

/**
 * The run ends as `Aborted`, after its rollback (`onFailure: 'keep'` keeps). A rollback that is
 * blocked ends too: what it could not remove is named.
 */
export const abortUpdate = defineUpdate<StatusDocument, [AbortRequest]>('abort');
