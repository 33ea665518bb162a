/** How long tasks and other waits of this API usually take. */
import type { PollPolicy, TypicalDuration } from '../../engine/core/run-policy.js';
import { TaskType } from './task-type.js';

const PROFILE_TASK: TypicalDuration = { firstMs: 3_000, usualMs: 15_000, giveUpMs: 20 * 60_000 };

export const DEFAULT_POLL_POLICY: PollPolicy = {
  minMs: 2_000,
  maxMs: 60_000,
  shareOfElapsed: 0.05,
  typical: {
    // Bare metal has been seen to take more than an hour.
    [TaskType.createVm]: { firstMs: 15_000, usualMs: 30_000, giveUpMs: 3 * 3_600_000 },
    [TaskType.deleteVm]: { firstMs: 15_000, usualMs: 70_000 },
    [TaskType.deleteVolume]: { firstMs: 3_000, usualMs: 10_000 },
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
    'SFTP storage active': { firstMs: 2_000, usualMs: 10_000, giveUpMs: 2 * 3_600_000 },
    // Most resources show in the list immediately. For the rest the intervals grow. It paces waits of many
    // kinds, and none of them has a usual duration.
    'list of the API': { firstMs: 2_000, usualMs: 0, shareOfElapsed: 0.5 },
  },
  otherwise: { firstMs: 5_000, usualMs: 30_000 },
};
