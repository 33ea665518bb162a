import type { Logger } from '@temporalio/common';

import type { Audit, GatewayContext } from './gateway-context.js';
import { toProblem } from './to-problem.js';

/** A line of the log for each, with a message of its own: `audit`. */
export function auditTo(logger: Logger): Audit {
  return (entry) => {
    logger.info('audit', { ...entry });
  };
}

/** Does what is asked, and tells the audit log how it ended. */
export async function audited<T>(
  audit: Audit,
  { c, ...what }: { c: GatewayContext; action: string; workflowId?: string; upload?: string },
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
