import { TaskType } from '../../contract/wire/tasks.js';
import type { ProfileView } from './ddos-entities.js';
import type { TaskEntity } from './rows.js';
import type { TaskPlan } from './task-entities.js';
import type { World } from './world.js';

/** A task that creates, changes or deletes a DDoS profile. */
export type ProfilePlan = Extract<TaskPlan, { kind: `${string}_ddos_profile` }>;

export function isProfilePlan(plan: TaskPlan): plan is ProfilePlan {
  return plan.kind.endsWith('_ddos_profile');
}

type ProfileTask = Omit<TaskEntity, 'plan'> & { plan: ProfilePlan };

/** Ignores a profile that another task has deleted: profiles have no lock. */
export function settleProfileTask(world: World, task: ProfileTask): void {
  const { plan, failure } = task;
  if (world.ddosProfiles.get(plan.profileId) === undefined) return;
  if (failure !== null) settleFailure(world, task, failure);
  else if (plan.kind === TaskType.deleteProfile) world.ddosProfiles.delete(plan.profileId);
  else if (plan.kind === TaskType.createProfile)
    changeView(world, task, optionsOf(world.profileBirth === 'on'));
  else if (plan.kind === TaskType.updateProfile) {
    const { templateId, fields } = plan;
    changeView(world, task, { templateId, fields, status: statusOf('Updated') });
  } else {
    const { active, bgp } = plan;
    changeView(world, task, { active, bgp, status: statusOf(active ? 'Active' : 'Updated') });
  }
}

function settleFailure(
  world: World,
  task: ProfileTask,
  { error, leftovers }: NonNullable<TaskEntity['failure']>,
): void {
  const { kind, profileId } = task.plan;
  if (kind === TaskType.createProfile && leftovers !== 'profile') {
    world.ddosProfiles.delete(profileId);
    return;
  }
  const status = kind === TaskType.deleteProfile ? 'Error Deleting' : 'Error';
  changeView(world, task, { status: { status, error_description: error } });
}

function changeView(world: World, { plan, endsAt }: ProfileTask, next: Partial<ProfileView>): void {
  const before = world.ddosProfiles.get(plan.profileId);
  const lagMs = 'listLagMs' in plan ? plan.listLagMs : 0;
  const stale = before && lagMs > 0 ? { until: endsAt + lagMs, view: viewOf(before) } : null;
  world.ddosProfiles.update(plan.profileId, { ...next, stale });
}

function viewOf({ templateId, fields, active, bgp, status }: ProfileView): ProfileView {
  return { templateId, fields, active, bgp, status };
}

/** Both options of a new profile are on, or both off. */
function optionsOf(isOn: boolean) {
  return { active: isOn, bgp: isOn, status: statusOf(isOn ? 'Active' : 'Updated') };
}

function statusOf(status: string): ProfileView['status'] {
  return { status, error_description: '' };
}
