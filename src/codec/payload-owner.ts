import { createHash } from 'node:crypto';

/**
 * Whom a payload was written for: a Workflow Id of a namespace. Without a Workflow Id, any run of the namespace: the
 * Temporal UI and CLI name no run when they ask the codec server to encrypt. Each `SerializationContext` of the SDK
 * is one.
 */
export interface PayloadOwner {
  namespace: string;
  workflowId?: string | undefined;
}

/** What is stored with a payload and authenticated with it. As a digest it has one length, whatever the id is. */
export function digestOf({ namespace, workflowId }: PayloadOwner): Buffer {
  const owner = workflowId ? [namespace, workflowId] : [namespace];
  return createHash('sha256').update(JSON.stringify(owner)).digest();
}

/** A schedule adds the time to the Workflow Id that its input was written for. */
const TIME_OF_SCHEDULE = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Whether this run may take a payload with this digest for its own. */
export function isFor(owner: PayloadOwner, digest: Uint8Array): boolean {
  const { namespace, workflowId = '' } = owner;
  const scheduled = { namespace, workflowId: workflowId.replace(TIME_OF_SCHEDULE, '') };
  return [owner, scheduled, { namespace }].some((one) => digestOf(one).equals(digest));
}
