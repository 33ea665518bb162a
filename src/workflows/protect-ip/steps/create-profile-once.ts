import { patched } from '@temporalio/workflow';

import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { CLOCK_SKEW_MS } from '../../../contract/clock-skew.js';
import { FailureType } from '../../../contract/failures.js';
import { isoOf } from '../../../contract/iso-of.js';
import { StepState } from '../../../contract/status.js';
import type { SentChanges } from '../../engine/send/converge.js';
import { failureTypeOf } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { Patch } from '../../engine/run/patches.js';
import type { Mutation } from '../../engine/send/mutation.js';
import { sendOnce } from '../../engine/send/send-once.js';
import { waitForTasks } from '../../engine/wait/wait-for-tasks.js';
import type { Checked } from './check-protection.js';
import {
  listProfiles,
  placeOf,
  readProfile,
  toResource,
  type ProtectRun,
} from '../../shared/ddos-profile/ddos-run.js';
import {
  chooseProfile,
  judgeStatus,
  describeContentDrift,
} from '../../shared/ddos-profile/judge-profile.js';
import { taskFailed } from '../../shared/ddos-profile/profile-changes.js';
import {
  findMadeProfiles,
  removeProfiles,
  type MadeProfiles,
} from '../../shared/ddos-profile/remove-profile.js';

export interface CreatedProfile {
  profile: DdosProfileView;
  /** False: it was made by somebody else in the meantime. */
  isOwn: boolean;
}

/**
 * One profile for an address that has none. The API would make a second one when it is asked twice;
 * the address itself is the marker. Registers its removal for a rollback.
 */
export async function createProfileOnce(
  run: ProtectRun,
  step: StepRecorder,
  { checked, sent }: { checked: Checked; sent: SentChanges },
): Promise<CreatedProfile> {
  const mine = createMutation(run, step, { checked, sent });
  const { mutation, made } = mine;
  const done = await sendOnce(run, mutation);
  sent.taskIds.push(...done.taskIds);
  const tasks = await waitForTasks(run, done.taskIds, { step, expect: 'create_ddos_profile' });
  mine.ids.push(...tasks.flatMap(({ created }) => created.ddosProfiles ?? []));
  const failed = tasks.find((task) => task.state === 'ERROR');
  if (failed !== undefined) {
    const left = await findMadeProfiles(run, made, done.taskIds);
    step.set(StepState.failed, { resources: left.map(toResource) });
    const error = taskFailed(step, failed);
    // It is to be tried again: what the failed call left would be taken for the profile.
    if (failureTypeOf(error) !== FailureType.taskFailed) await mutation.remove(done.taskIds);
    throw error;
  }
  const [id] = mine.ids;
  const profile =
    id === undefined
      ? (done.resource ?? (await firstListed(run, mutation)))
      : await readProfile(run, placeOf(run.prepared, run.prepared.address), id);
  const isOwn = done.origin !== 'earlier' && !made.isForeign(profile);
  if (isOwn) mine.ids.push(profile.id);
  return { profile, isOwn };
}

/** A forgotten or a silent task does not say what it made. */
async function firstListed(
  run: ProtectRun,
  mutation: Mutation<DdosProfileView>,
): Promise<DdosProfileView> {
  const verdict = await mutation.look();
  const profileId = verdict.kind === 'present' ? verdict.resource.id : 0;
  return readProfile(run, placeOf(run.prepared, run.prepared.address), profileId);
}

function createMutation(
  run: ProtectRun,
  step: StepRecorder,
  { checked, sent }: { checked: Checked; sent: SentChanges },
): { mutation: Mutation<DdosProfileView>; made: MadeProfiles; ids: number[] } {
  const { intent, input } = checked;
  const { address, projectId, regionId, profileId } = run.prepared;
  const place = placeOf(run.prepared, address);
  const ids: number[] = [];
  const wanted = { templateId: intent.profile_template, fields: intent.fields };
  const made: MadeProfiles = {
    place,
    sent,
    ids: () => ids,
    // Until its id is known only its content tells whose it is; a broken one may not show it.
    isForeign: (profile) =>
      ids.length > 0
        ? !ids.includes(profile.id)
        : describeContentDrift(profile, wanted) !== undefined &&
          judgeStatus(profile).kind !== 'broken',
  };
  const mutation: Mutation<DdosProfileView> = {
    step,
    input,
    look: async () => chooseProfile(await listProfiles(run, place), profileId),
    send: () =>
      run.api.mutations.createDdosProfile.executeWithOptions(
        { summary: `profile for ${address}` },
        [{ projectId, regionId, intent }],
      ),
    async trace({ from }) {
      const isActive = await run.api.reads.hasActiveTasks({
        projectId,
        regionId,
        types: ['create_ddos_profile'],
        from: isoOf(from - CLOCK_SKEW_MS),
      });
      return { kind: isActive ? 'pending' : 'none' };
    },
    mayVanish: (profile) =>
      judgeStatus(profile).kind === 'under-way' && patched(Patch.settledProfile),
    remove: (taskIds) => removeProfiles(run, step, { made, taskIds }),
    inventory: async (taskIds) => (await findMadeProfiles(run, made, taskIds)).map(toResource),
  };
  return { mutation, made, ids };
}
