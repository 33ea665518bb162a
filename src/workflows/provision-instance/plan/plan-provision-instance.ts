import { Operation } from '../../../contract/wire/names.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { secretPlaces } from '../../../contract/wire/secret-ref.js';
import { checkSecrets } from '../../shared/plan/plan-parts.js';
import { createDraft } from '../../../engine/plan/planning.js';
import { targetsOf } from '../targets.js';
import { checkBody } from './check-body.js';
import { checkFlavors } from './check-flavors.js';
import { checkParts } from './check-parts.js';
import { checkTemplates } from './check-templates.js';
import { lookForEarlierInstance } from './look-for-earlier-instance.js';
import { planProtectionOfEarlier, planProtectionOfNew } from './plan-instance-protection.js';
import { planAdoption, planCreation } from './provision-calls.js';
import type { ProvisionPlanRun } from './provision-plan-run.js';

/**
 * Plans `provisionInstance`: which instance of an earlier try it would adopt, whether the flavor, the
 * images and the networks exist, whether quotas and capacity suffice, and which calls it would send. The
 * API refuses the same faults in the create call.
 */
export async function planProvisionInstance(run: ProvisionPlanRun): Promise<Plan> {
  const { instance } = run.input;
  const draft = createDraft(Operation.provisionInstance);
  const targets = targetsOf(run.prepared, instance);
  const { places, earlier } = await lookForEarlierInstance(run, draft, targets);
  if (earlier !== undefined) {
    planAdoption(run, draft, earlier);
    await planProtectionOfEarlier(run, draft, earlier);
    return draft.finish();
  }
  const there = targets.filter(({ place }) => places.has(place.regionId));
  const flavors = await checkFlavors(run, draft, { targets, there });
  const images = await checkParts(run, draft, there);
  checkBody(draft, instance, { images, flavors });
  await checkTemplates(run, draft, there);
  await checkSecrets(run, draft, secretPlaces(instance, 'instance'));
  planCreation(run, draft, targets);
  await planProtectionOfNew(run, draft, { targets, there });
  return draft.finish();
}
