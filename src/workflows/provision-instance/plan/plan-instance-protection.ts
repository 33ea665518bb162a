import type { ProtectionBody } from '../../../contract/api/ddos.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { firstOfRegions, type Target } from '../targets.js';
import type { EarlierInstance } from './look-for-earlier-instance.js';
import { lookAtProtection } from '../../shared/ddos-profile/look-at-protection.js';
import { pathOf, type ProvisionPlanRun } from './provision-plan-run.js';
import { planProtection, planProtectionReads } from '../../shared/ddos-profile/protection-calls.js';

const PATH = 'protect';

/** Plans the protection of an existing instance, whose address and profile are known. */
export async function planProtectionOfEarlier(
  { prepared, reads }: ProvisionPlanRun,
  draft: Draft,
  { instance, place }: EarlierInstance,
): Promise<void> {
  const { protect, onFailure } = prepared;
  if (protect === undefined) return;
  const { publicAddress: address } = instance;
  if (address === null) {
    draft.warn({
      path: PATH,
      message: `instance ${instance.id} shows no public address to protect`,
      advice: 'Nothing to do while it starts. Otherwise give it a floating IP.',
    });
    return;
  }
  planProtectionReads(draft, place, address);
  const asked = { place, address, profile: protect, path: PATH, regionPath: 'regionId' };
  const seen = await lookAtProtection(reads, draft, asked);
  if (seen === undefined) return;
  planProtection(draft, { ...seen, place, active: true, onFailure, path: PATH });
}

/** Plans the protection of a new instance, in each region where it may be made. */
export async function planProtectionOfNew(
  run: ProvisionPlanRun,
  draft: Draft,
  { targets, there }: { targets: readonly Target[]; there: readonly Target[] },
): Promise<void> {
  const { protect } = run.prepared;
  if (protect === undefined) return;
  draft.warn({
    path: PATH,
    message:
      'the address is unknown before the instance exists: the plan did not check whether it has a profile',
    advice: 'Plan again once the instance exists: the plan then knows its address.',
  });
  for (const target of firstOfRegions(there)) {
    await planInRegion(run, draft, { protect, target, targets });
  }
}

interface InRegion {
  protect: ProtectionBody;
  target: Target;
  targets: readonly Target[];
}

async function planInRegion(
  { prepared, reads }: ProvisionPlanRun,
  draft: Draft,
  { protect, target, targets }: InRegion,
): Promise<void> {
  const { place } = target;
  const isAsked = target === targets[0];
  const seen = await lookAtProtection(reads, isAsked ? draft : warnOnly(draft, target), {
    place,
    profile: protect,
    path: PATH,
    regionPath: isAsked ? PATH : pathOf(targets, target, 'regionId'),
  });
  if (!isAsked) return;
  planProtectionReads(draft, place);
  if (seen === undefined) return;
  const { onFailure } = prepared;
  planProtection(draft, { ...seen, place, active: true, onFailure, path: PATH });
}

/** Faults in alternative regions are warnings. */
function warnOnly(draft: Draft, { place: { regionId } }: Target): Draft {
  return {
    ...draft,
    fault: ({ message, ...rest }) => {
      draft.warn({ ...rest, message: `${message} (in the alternative region ${regionId})` });
    },
  };
}
