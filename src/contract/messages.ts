/** Messages of a run, shared by workflow and client. Free of zod. */
import { defineQuery } from '@temporalio/workflow';

import type { StatusDocument } from './status-document.js';

/** Answers with the status document; needs a worker. */
export const statusQuery = defineQuery<StatusDocument>('status');
