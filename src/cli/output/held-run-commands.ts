import { Phase, type StatusDocument } from '../../contract/index.js';
import type { Hint } from '../hint.js';

/** Commands to copy for a paused or blocked run. */
export function heldRunCommands(
  workflowId: string,
  status: StatusDocument | undefined,
  hint: Hint,
): string[] {
  const isHeld = status?.phase === Phase.blocked || status?.phase === Phase.paused;
  if (!isHeld) return [];
  return [`continue it: ${hint('resume', workflowId)}`, `end it: ${hint('abort', workflowId)}`];
}
