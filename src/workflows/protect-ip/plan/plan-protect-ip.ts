import type { PreparedProtectIp } from '../../../contract/wire/prepared.js';
import { Operation } from '../../../contract/wire/names.js';
import type { ProtectIpInput } from '../../../contract/operations/types.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { createDraft } from '../../../engine/plan/planning.js';
import type { PlanRun } from '../../gcore.js';
import { lookAtProtection } from '../../shared/ddos-profile/look-at-protection.js';
import { planProtection, planProtectionReads } from '../../shared/ddos-profile/protection-calls.js';

/**
 * Plans `protectIp`: whether a profile can help, what the template says about the fields, which profile
 * the address has, and what the run would change and restore. Takes no turn, so it does not wait for a
 * run that holds the address now.
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
    place,
    address,
    profile,
    profileId,
  });
  if (seen !== undefined) {
    const { holdFor } = input;
    planProtection(draft, { ...where, ...seen, place, active, bgp, holdFor, onFailure });
  }
  return draft.finish();
}
