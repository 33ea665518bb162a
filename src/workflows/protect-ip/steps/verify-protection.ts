import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { isFresh } from '../../../engine/run/read-times.js';
import { cutShortAtOf, lostCallsEndAt, waitOutLostCalls } from '../../../engine/wait/wait-until.js';
import { converge } from '../../../engine/send/converge.js';
import { lookUntilGivenUp } from '../../../engine/wait/look-until.js';
import { contentChange, optionsChange } from '../../shared/ddos-profile/profile-changes.js';
import type { Activated } from './activate-profile.js';
import type { Configured } from './configure-profile.js';
import { readProfile, type ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import {
  judgeStatus,
  describeContentDrift,
  describeOptionsDrift,
  type WantedProfile,
} from '../../shared/ddos-profile/judge-profile.js';

/**
 * Reads everything back in one look: template, fields, `active`, `bgp` and the status of the profile.
 * Tasks have been seen to finish and leave an address without protection.
 */
export async function verifyProtection(
  run: ProtectRun,
  step: StepRecorder,
  { configured, activated }: { configured: Configured; activated: Activated },
): Promise<DdosProfileView> {
  step.set(StepState.waiting);
  const { bgp } = activated.profile;
  const { readAt } = activated;
  // A run may have been paused since.
  const isRead = isFresh(readAt);
  const { profile_template: templateId, fields } = configured.intent;
  const wanted: WantedProfile = { templateId, fields, active: run.prepared.active, bgp };
  const look = () => {
    const sureAt = Date.now() + run.prepared.policy.reconcileGraceMs;
    return parkWhileBlocked(run, () => lookUntilProtected(run, configured, { ...wanted, sureAt }));
  };
  let profile = isRead && isInEffect(activated.profile, wanted) ? activated.profile : await look();
  if (await waitOutLateCalls(run)) {
    await convergeAgain(run, step, { configured, wanted });
    profile = await look();
  }
  step.set(StepState.verified, { note: `status "${profile.status ?? 'none'}"` });
  return profile;
}

/**
 * A call of a terminated run may still undo what this run has sent. The address is protected meanwhile.
 * Returns whether it has waited.
 */
async function waitOutLateCalls(run: ProtectRun): Promise<boolean> {
  const cutShortAt = cutShortAtOf(run);
  if (cutShortAt === undefined || Date.now() >= lostCallsEndAt(run, cutShortAt)) return false;
  await waitOutLostCalls(
    run,
    cutShortAt,
    'late calls of a terminated run; the address is protected',
  );
  return true;
}

/** Sends only what a late call has changed. */
async function convergeAgain(
  run: ProtectRun,
  step: StepRecorder,
  { configured, wanted: { active, bgp } }: { configured: Configured; wanted: WantedProfile },
): Promise<void> {
  const { intent } = configured;
  await parkWhileBlocked(run, () =>
    converge(run, contentChange(run, step, { ...configured, intent })),
  );
  const options = { active, bgp };
  await parkWhileBlocked(run, () =>
    converge(run, optionsChange(run, step, { ...configured, options })),
  );
  step.set(StepState.waiting);
}

async function lookUntilProtected(
  run: ProtectRun,
  { place, profileId }: Configured,
  { sureAt, ...wanted }: WantedProfile & { sureAt: number },
): Promise<DdosProfileView> {
  const name = `profile ${profileId} to be in effect`;
  let status: string | undefined;
  const wait = { name, type: 'DDoS profile in effect', state: () => status };
  return lookUntilGivenUp(run, wait, async () => {
    const isLate = Date.now() >= sureAt;
    const read = () => readProfile(run, place, profileId);
    const seen = await read();
    // The one answer that does not tell it may hide an error, or that it is still under way.
    const profile = seen.status === undefined ? await read() : seen;
    const fault = faultOf(profile, wanted);
    if (fault === undefined) return profile;
    if (isLate && fault !== 'under-way') throw fault;
    ({ status } = profile);
    return undefined;
  });
}

function isInEffect(profile: DdosProfileView, wanted: WantedProfile): boolean {
  return profile.status !== undefined && faultOf(profile, wanted) === undefined;
}

/** Why the profile is not in effect; `undefined` when it is. */
function faultOf(profile: DdosProfileView, wanted: WantedProfile): Error | 'under-way' | undefined {
  // The content was proven before: a template that one answer does not show is no other.
  const drift =
    describeContentDrift(profile, wanted, true) ?? describeOptionsDrift(profile, wanted);
  if (drift !== undefined) return changedFailure(drift);
  const verdict = judgeStatus(profile);
  if (verdict.kind === 'agrees') return undefined;
  if (verdict.kind === 'under-way') return 'under-way';
  return verdict.kind === 'broken' ? brokenFailure(verdict.note) : changedFailure(verdict.note);
}

/** A moment ago the profile was as wanted. */
function changedFailure(drift: string): Error {
  return failure(FailureType.outcomeUnknown, `The address may not be protected: ${drift}.`, {
    advice: 'Look at the profile: does somebody else change it too?',
  });
}

function brokenFailure(note: string): Error {
  return failure(FailureType.taskFailed, `The tasks have finished, but ${note}.`, {
    advice: 'Ask the support of the API what is wrong with the profile. Then start again.',
  });
}
