import type { StatusDocument } from '../../contract/index.js';
import { webhookRemarks } from '../../engine/core/webhook-remarks.js';
import { heldRunCommands } from './held-run-commands.js';
import { renderStatus, unservedRemarks } from './render-status.js';
import type { Session } from '../session.js';

/** Prints the status document on stdout, as text or as JSON. */
export function printStatus(session: Session, workflowId: string, status: StatusDocument): void {
  const { io, paint, hint } = session;
  const commands = heldRunCommands(workflowId, status, hint);
  const remarks = [...unservedRemarks(status), ...webhookRemarks(status)];
  const view = { workflowId, status, commands, remarks };
  session.print(status, renderStatus(view, io.clock.now(), paint));
}
