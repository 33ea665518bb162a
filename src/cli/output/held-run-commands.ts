import { Phase, type StatusDocument } from '../../contract/index.js';
import type { Hint } from '../hint.js';

/** What a person may do with a run that is held up, as commands to copy. */
export function heldRunCommands(
  workflowId: string,
  status: StatusDocument | undefined,
  hint: Hint,
): string[] {
  const isHeld = status?.phase === Phase.blocked || status?.phase === Phase.paused;
  if (!isHeld) return [];
  return [`let it go on: ${hint('resume', workflowId)}`, `end it: ${hint('abort', workflowId)}`];
}
