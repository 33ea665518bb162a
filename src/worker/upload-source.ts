import { defaultPayloadConverter } from '@temporalio/common';
import { z } from 'zod';

import type { UploadSource } from '../activities/index.js';
import type { Codec } from '../codec/codec.js';
import { indexWorkflowId, MAX_UPLOAD_BYTES, pieceWorkflowId } from '../contract/wire/uploads.js';
import type { CutShortDeps } from './cut-short.js';
import { isNotFound } from './is-not-found.js';

/** Below the timeouts of the activities, which are repeated. */
const ANSWER_WITHIN_MS = 10_000;

/** Whoever may start workflows in the namespace could have written it. */
const indexSchema = z.object({ bytes: z.number().int().min(1).max(MAX_UPLOAD_BYTES) });

export interface UploadSourceDeps extends CutShortDeps {
  codec: Codec;
}

/** Reads the lists that clients have handed to the Temporal server of this worker. */
export function createUploadSource(deps: UploadSourceDeps): UploadSource {
  return {
    async index(name) {
      return indexSchema.safeParse(await keptInput(deps, indexWorkflowId(name))).data;
    },
    async piece(name, at) {
      const kept = await keptInput(deps, pieceWorkflowId(name, at));
      return kept instanceof Uint8Array ? kept : undefined;
    },
  };
}

/** The input of the newest run of this id, from its first event. */
async function keptInput(
  { connection, namespace, codec }: UploadSourceDeps,
  workflowId: string,
): Promise<unknown> {
  const request = { namespace, execution: { workflowId }, maximumPageSize: 1 };
  try {
    const page = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      connection.workflowService.getWorkflowExecutionHistory(request),
    );
    const [first] = page.history?.events ?? [];
    const { input } = first?.workflowExecutionStartedEventAttributes ?? {};
    const [payload] = await codec.decode(input?.payloads ?? [], { namespace, workflowId });
    return payload && defaultPayloadConverter.fromPayload<unknown>(payload);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
