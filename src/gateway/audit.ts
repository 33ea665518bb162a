import type { Logger } from '@temporalio/common';

import type { GatewayContext } from './gateway-context.js';
import { toProblem } from './problems/to-problem.js';

/** One read of what runs hold, or one thing that was asked of them: who, which run, from where. */
export interface AuditEntry {
  requestId: string;
  /** `start`, `plan`, `result`, `report`, `decode`, `encode`, or what was asked of a run, such as `abort`. */
  action: string;
  /** Missing at the codec server: a payload does not say whose it is. */
  workflowId?: string;
  /** Name of the token. */
  caller: string;
  /** Address of the caller. */
  from: string;
  /** `done`, or the code of the problem that refused it. */
  outcome: string;
}

export type Audit = (entry: AuditEntry) => void;

/** A line of the log for each, with a message of its own: `audit`. */
export function auditTo(logger: Logger): Audit {
  return (entry) => {
    logger.info('audit', { ...entry });
  };
}

/** Does what is asked, and tells the audit log how it ended. */
export async function audited<T>(
  audit: Audit,
  { c, ...what }: { c: GatewayContext; action: string; workflowId?: string },
  act: () => Promise<T>,
): Promise<T> {
  const note = (outcome: string): void => {
    const by = { requestId: c.get('requestId'), caller: c.get('caller').name };
    audit({ ...by, ...what, from: c.get('address'), outcome });
  };
  try {
    const answer = await act();
    note('done');
    return answer;
  } catch (error) {
    note(toProblem(error).code);
    throw error;
  }
}
