import { DEFAULT_ACCOUNT, plannedIdOf } from '../engine/core/names.js';

/** `provision-instance/<account>/<request id>`; any other id belongs to the default account. */
export function accountOf(workflowId: string): string {
  return /^[^/]+\/([^/]+)\/./.exec(plannedIdOf(workflowId) ?? workflowId)?.[1] ?? DEFAULT_ACCOUNT;
}
