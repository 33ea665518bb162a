import { FailureType } from '../../engine/core/failures.js';
import type { PollPolicy, TypicalDuration } from '../../engine/core/run-policy.js';
import type { TaskErrorType } from '../../engine/core/tasks.js';

/** The task types of the API that this product knows, as `task_type` names them. */
export const TaskType = {
  createVm: 'create_vm',
  /** The same call can start it: the API chooses for basic machines. */
  createBasicVm: 'create_basic_vm',
  deleteVm: 'delete_vm',
  resizeVm: 'resize_vm',
  startVm: 'start_vm',
  stopVm: 'stop_vm',
  softRebootVm: 'soft_reboot_vm',
  hardRebootVm: 'hard_reboot_vm',
  createVolume: 'create_volume',
  deleteVolume: 'delete_volume',
  createSnapshot: 'create_snapshot',
  deleteSnapshot: 'delete_snapshot',
  extendVolume: 'extend_volume',
  attachVolume: 'attach_volume',
  detachVolume: 'detach_volume',
  revertVolume: 'revert_volume',
  updateFloatingIp: 'update_floating_ip',
  deleteFloatingIp: 'delete_fip',
  createProfile: 'create_ddos_profile',
  updateProfile: 'update_ddos_profile',
  activateProfile: 'activate_ddos_profile',
  deactivateProfile: 'deactivate_ddos_profile',
  deleteProfile: 'delete_ddos_profile',
} as const;
export type TaskType = (typeof TaskType)[keyof typeof TaskType];

/** What `POST /cloud/v2/instances/…` can start. A search for a lost create asks for each. */
export const CREATE_INSTANCE_TASKS = [TaskType.createVm, TaskType.createBasicVm] as const;
export type CreateInstanceTask = (typeof CREATE_INSTANCE_TASKS)[number];

/** What changes the size or the power of an instance. */
export const INSTANCE_ACTION_TASKS = [
  TaskType.resizeVm,
  TaskType.startVm,
  TaskType.stopVm,
  TaskType.softRebootVm,
  TaskType.hardRebootVm,
] as const;
/** What changes a volume. */
export const VOLUME_ACTION_TASKS = [
  TaskType.extendVolume,
  TaskType.attachVolume,
  TaskType.detachVolume,
  TaskType.revertVolume,
] as const;

/** What the runs of a change wait for and look for. */
export const ACTION_TASKS = [
  ...INSTANCE_ACTION_TASKS,
  ...VOLUME_ACTION_TASKS,
  TaskType.updateFloatingIp,
] as const;
export type ActionTask = (typeof ACTION_TASKS)[number];

/** What makes one thing, by what it makes. */
export const MAKE_TASKS = {
  volume: TaskType.createVolume,
  snapshot: TaskType.createSnapshot,
} as const;
export type MakeTask = (typeof MAKE_TASKS)[keyof typeof MAKE_TASKS];
/** What removes it again. */
export const REMOVE_TASKS = {
  volume: TaskType.deleteVolume,
  snapshot: TaskType.deleteSnapshot,
} as const;

/** What can still change a DDoS profile, apart from its deletion. */
export const CHANGE_PROFILE_TASKS = [
  TaskType.createProfile,
  TaskType.updateProfile,
  TaskType.activateProfile,
  TaskType.deactivateProfile,
] as const;

const CAPACITY =
  /no valid host|(?:not enough|no|insufficient|lack of) (?:free |available )?(?:capacity|resources|hosts)|out of (?:capacity|stock)|sold out|capacity (?:is )?(?:unavailable|exhausted)/i;
const QUOTA = /quota|limit (?:is |was |has been )?exceeded/i;

/**
 * Why a task ended in ERROR, judged by its free text. A quota or a lack of capacity can be solved by
 * a person or by waiting; everything else is a failure. Source: error handling guide, which does not
 * specify the texts.
 */
export function classifyTaskError(text: string): TaskErrorType {
  if (QUOTA.test(text)) return FailureType.quotaExceeded;
  return CAPACITY.test(text) ? FailureType.capacityUnavailable : FailureType.taskFailed;
}

/** Undocumented. A shutdown waits for the operating system of the machine. */
const POWER_TASK: TypicalDuration = { firstMs: 5_000, usualMs: 20_000, giveUpMs: 30 * 60_000 };
/** Undocumented. The guide names 5 s for a volume; a detach waits for the operating system of the machine. */
const VOLUME_TASK: TypicalDuration = { firstMs: 3_000, usualMs: 10_000, giveUpMs: 30 * 60_000 };
const PROFILE_TASK: TypicalDuration = { firstMs: 3_000, usualMs: 15_000, giveUpMs: 20 * 60_000 };

/** The wait for an SFTP storage that is made or changed: it has no task. */
export const STORAGE_ACTIVE = 'SFTP storage active';

/** How long tasks and other waits of this API usually take. */
export const DEFAULT_POLL_POLICY: PollPolicy = {
  minMs: 2_000,
  maxMs: 60_000,
  shareOfElapsed: 0.05,
  typical: {
    // Bare metal has been seen to take more than an hour.
    [TaskType.createVm]: { firstMs: 15_000, usualMs: 30_000, giveUpMs: 3 * 3_600_000 },
    [TaskType.deleteVm]: { firstMs: 15_000, usualMs: 70_000 },
    [TaskType.resizeVm]: { firstMs: 15_000, usualMs: 60_000, giveUpMs: 3_600_000 },
    [TaskType.startVm]: POWER_TASK,
    [TaskType.stopVm]: POWER_TASK,
    [TaskType.softRebootVm]: POWER_TASK,
    [TaskType.hardRebootVm]: POWER_TASK,
    [TaskType.createVolume]: VOLUME_TASK,
    [TaskType.deleteVolume]: { firstMs: 3_000, usualMs: 10_000 },
    // Undocumented. It copies what the volume holds.
    [TaskType.createSnapshot]: { firstMs: 3_000, usualMs: 20_000, giveUpMs: 3 * 3_600_000 },
    [TaskType.deleteSnapshot]: { firstMs: 3_000, usualMs: 10_000 },
    [TaskType.extendVolume]: VOLUME_TASK,
    [TaskType.attachVolume]: VOLUME_TASK,
    [TaskType.detachVolume]: VOLUME_TASK,
    [TaskType.revertVolume]: VOLUME_TASK,
    [TaskType.updateFloatingIp]: { firstMs: 2_000, usualMs: 5_000, giveUpMs: 20 * 60_000 },
    [TaskType.deleteFloatingIp]: { firstMs: 3_000, usualMs: 10_000 },
    // Undocumented; Terraform waits 20 minutes for each.
    [TaskType.createProfile]: PROFILE_TASK,
    [TaskType.updateProfile]: PROFILE_TASK,
    [TaskType.activateProfile]: PROFILE_TASK,
    [TaskType.deactivateProfile]: PROFILE_TASK,
    [TaskType.deleteProfile]: PROFILE_TASK,
    'DDoS profile in effect': { firstMs: 2_000, usualMs: 5_000, giveUpMs: 20 * 60_000 },
    // Transcoding takes minutes to hours. The run gives up a video after a day.
    video: { firstMs: 15_000, usualMs: 300_000, giveUpMs: 24 * 3_600_000 },
    'instance ACTIVE': { firstMs: 2_000, usualMs: 5_000, giveUpMs: 20 * 60_000 },
    // A storage has no task: the run polls its status (the Go SDK does so every 3 s for two hours).
    [STORAGE_ACTIVE]: { firstMs: 2_000, usualMs: 10_000, giveUpMs: 2 * 3_600_000 },
    // Most resources show in the list immediately. For the rest the intervals grow. It paces waits of many
    // kinds, and none of them has a usual duration.
    'list of the API': { firstMs: 2_000, usualMs: 0, shareOfElapsed: 0.5 },
  },
  otherwise: { firstMs: 5_000, usualMs: 30_000 },
};
