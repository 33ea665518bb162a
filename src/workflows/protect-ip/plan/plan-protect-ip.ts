import type { PreparedProtectIp } from '../../../contract/prepared/protect-ip.js';
import { Operation } from '../../../contract/names.js';
import type { ProtectIpInput } from '../../../contract/operations/protect-ip.js';
import type { Plan } from '../../../contract/plan.js';
import { createDraft, type PlanRun } from '../../engine/plan/planning.js';
import { lookAtProtection } from '../../shared/ddos-profile/look-at-protection.js';
import { planProtection, planProtectionReads } from '../../shared/ddos-profile/protection-calls.js';

/**
 * Whether a profile can help, what its template says of the fields, which profile the address has,
 * what would be changed of it and put back. It takes no turn: a run that holds the address now would
 * be waited for.
 */
export async function planProtectIp({
  prepared,
  input,
  reads,
}: PlanRun<PreparedProtectIp, ProtectIpInput>): Promise<Plan> {
  const draft = createDraft(Operation.protectIp);
  const { projectId, regionId, address, profile, profileId, active, bgp, onFailure } = prepared;
  const place = { projectId, regionId };
  const where = { path: 'profile', regionPath: 'regionId' };
  planProtectionReads(draft, place, address);
  const seen = await lookAtProtection(reads, draft, {
    ...where,
    ...{ place, address, profile, profileId },
  });
  if (seen !== undefined) {
    const { holdFor } = input;
    planProtection(draft, { ...where, ...seen, place, active, bgp, holdFor, onFailure });
  }
  return draft.finish();
}
