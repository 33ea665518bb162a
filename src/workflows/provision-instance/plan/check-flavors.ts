import { isCancellation, TemporalFailure } from '@temporalio/workflow';

import type { AskedInstance } from '../../../activities/flavors.js';
import type { ExceededQuota } from '../../../contract/api/cloud.js';
import type { Place } from '../../../contract/wire/names.js';
import type { PlanPrice } from '../../../engine/schema/documents.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { nameOf, type Target } from '../targets.js';
import { nearestNames } from '../../shared/plan/plan-parts.js';
import { pathOf, type ProvisionPlanRun } from './provision-plan-run.js';

interface WantedTargets {
  targets: readonly Target[];
  /** The targets in regions that exist. */
  there: readonly Target[];
}

/** RAM in MiB of every flavor in the regions. */
export type Flavors = ReadonlyMap<string, number>;

/** Checks whether the flavors exist, whether there is room for one of them, and the quotas. */
export async function checkFlavors(
  run: ProvisionPlanRun,
  draft: Draft,
  { targets, there }: WantedTargets,
): Promise<Flavors> {
  const known = new Map<string, number>();
  const existing: Target[] = [];
  for (const [regionId, group] of byRegion(there)) {
    const { place } = group[0];
    const seen = await draft.look(`the flavors of region ${regionId}`, () =>
      run.reads.listFlavors(place),
    );
    if (seen.is !== 'there') continue;
    for (const { id, ram } of seen.value) known.set(id, ram);
    const ids = seen.value.map(({ id }) => id);
    existing.push(...group.filter((target) => checkFlavor(draft, { target, targets, ids })));
  }
  await checkRoom(run, draft, { targets, there: existing });
  const [asked] = targets;
  if (asked !== undefined && existing.includes(asked)) {
    const wanted = { ...asked.place, instance: withoutSecrets(asked) };
    await checkQuotas(run, draft, wanted);
    draft.price = await priceOf(run, wanted);
  }
  return known;
}

function checkFlavor(
  draft: Draft,
  { target, targets, ids }: { target: Target; targets: readonly Target[]; ids: string[] },
): boolean {
  const { flavor } = target.body;
  if (ids.includes(flavor)) return true;
  draft.fault({
    path: pathOf(targets, target, 'flavor'),
    message: `There is no flavor "${flavor}" in region ${target.place.regionId}`,
    advice: `The nearest names are: ${nearestNames(flavor, ids).join(', ')}.`,
  });
  return false;
}

async function checkRoom(
  run: ProvisionPlanRun,
  draft: Draft,
  { targets, there }: WantedTargets,
): Promise<void> {
  const full: Target[] = [];
  for (const [regionId, group] of byRegion(there)) {
    const { place, body } = group[0];
    const seen = await draft.look(`the available flavors of region ${regionId}`, () =>
      run.reads.listAvailableFlavors({ ...place, volumes: body.volumes }),
    );
    if (seen.is !== 'there') continue;
    full.push(...group.filter((target) => !seen.value.includes(target.body.flavor)));
  }
  const add = full.length === there.length ? draft.fault : draft.warn;
  for (const target of full) {
    add({
      path: pathOf(targets, target, 'flavor'),
      message: `There is no room now for ${nameOf(target)} with these volumes`,
      advice: 'Choose another flavor or region, add "alternatives", or try again later.',
    });
  }
}

type Wanted = Place & { instance: AskedInstance };

function withoutSecrets({ body }: Target): AskedInstance {
  const { flavor, interfaces, volumes, name, name_template: template } = body;
  return {
    flavor,
    interfaces,
    volumes,
    ...(name === undefined ? {} : { name }),
    ...(template === undefined ? {} : { name_template: template }),
  };
}

/** A plan is good without a price, so it waits for none, and a refusal is no finding. */
async function priceOf(run: ProvisionPlanRun, wanted: Wanted): Promise<PlanPrice | undefined> {
  try {
    return await run.reads.priceInstance.executeWithOptions(ONCE, [wanted]);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    return undefined;
  }
}

const ONCE = {
  summary: 'what does it cost?',
  retry: { maximumAttempts: 1 },
  scheduleToCloseTimeout: '20 seconds',
} as const;

async function checkQuotas(run: ProvisionPlanRun, draft: Draft, wanted: Wanted): Promise<void> {
  const seen = await draft.look('the quotas', () => run.reads.checkLimits(wanted));
  for (const exceeded of seen.is === 'there' ? seen.value : []) {
    draft.fault({
      path: 'instance',
      message: describeQuota(exceeded),
      advice: 'Ask for a higher quota or delete what is not needed.',
    });
  }
}

function describeQuota({ quota, limit, requested = 0, usage = 0 }: ExceededQuota): string {
  return `The quota ${quota} would be exceeded: ${usage} in use and ${requested} requested, of ${limit}`;
}

/** Groups the targets by region. No group is empty. */
function byRegion(targets: readonly Target[]): Map<number, [Target, ...Target[]]> {
  const groups = new Map<number, [Target, ...Target[]]>();
  for (const target of targets) {
    const group = groups.get(target.place.regionId);
    if (group === undefined) groups.set(target.place.regionId, [target]);
    else group.push(target);
  }
  return groups;
}
