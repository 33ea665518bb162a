import { formatDuration } from '../../client/format-duration.js';
import type { StatusDocument } from '../../contract/index.js';
import { AskedFor } from '../../engine/core/identity.js';
import { Phase } from '../../engine/core/status.js';
import type { Hint } from '../cli-error.js';
import type { Paint } from './terminal-text.js';

/** `  asked: abort by anna@host 40 s ago`: the last thing that was asked of a run since its start. */
export function renderAsked({ asked = [] }: StatusDocument, now: number, paint: Paint): string[] {
  const last = asked.findLast(({ for: what }) => !STARTS.has(what));
  if (last === undefined) return [];
  const { for: what, by, at } = last;
  const elapsed = formatDuration(Math.max(0, now - Date.parse(at)));
  return [paint('dim', `  asked: ${what} by ${by} ${elapsed} ago`)];
}

/** The same without elapsed times, for a log. */
export function describeAsked({ asked = [] }: StatusDocument): string[] {
  return asked
    .filter(({ for: what }) => !STARTS.has(what))
    .map(({ for: what, by, at }) => `asked: ${what} by ${by} at ${at}`);
}

const STARTS: ReadonlySet<AskedFor> = new Set([AskedFor.start, AskedFor.retry]);

/** Commands to copy for a run that has failed. */
export function failedRunCommands(
  workflowId: string,
  { phase }: StatusDocument,
  hint: Hint,
): string[] {
  return phase === Phase.failed ? [`more: ${hint('explain', workflowId)}`] : [];
}

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
