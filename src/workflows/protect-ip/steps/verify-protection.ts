import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { FailureType } from '../../../contract/failures.js';
import { StepState } from '../../../contract/status.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import { failure } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { lookUntilGivenUp } from '../../engine/wait/look-until.js';
import type { Configured } from './configure-profile.js';
import { readProfile, type ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import {
  judgeStatus,
  describeContentDrift,
  describeOptionsDrift,
  type Wanted,
} from '../../shared/ddos-profile/judge-profile.js';

/**
 * Reads everything back in one picture: template, fields, `active`, `bgp` and the profile's own
 * status. Finished tasks alone have been seen to leave an address without protection.
 */
export async function verifyProtection(
  run: ProtectRun,
  step: StepRecorder,
  { configured, bgp }: { configured: Configured; bgp: boolean },
): Promise<DdosProfileView> {
  step.set(StepState.waiting);
  const { profile_template: templateId, fields } = configured.intent;
  const wanted: Wanted = { templateId, fields, active: run.prepared.active, bgp };
  const profile = await parkWhileBlocked(run, () => lookUntilProtected(run, configured, wanted));
  step.set(StepState.verified, { note: `status "${profile.status ?? 'none'}"` });
  return profile;
}

async function lookUntilProtected(
  run: ProtectRun,
  { place, profileId }: Configured,
  wanted: Wanted,
): Promise<DdosProfileView> {
  const name = `profile ${profileId} to be in effect`;
  const sureAt = Date.now() + run.prepared.policy.reconcileGraceMs;
  let status: string | undefined;
  const wait = { name, type: 'DDoS profile in effect', state: () => status };
  return lookUntilGivenUp(run, wait, async () => {
    const isLate = Date.now() >= sureAt;
    const profile = await readProfile(run, place, profileId);
    const fault = faultOf(profile, wanted);
    if (fault === undefined) return profile;
    if (isLate && fault !== 'under-way') throw fault;
    ({ status } = profile);
    return undefined;
  });
}

/** What speaks against the profile being in effect; `undefined` when nothing does. */
function faultOf(profile: DdosProfileView, wanted: Wanted): Error | 'under-way' | undefined {
  const lack = describeContentDrift(profile, wanted) ?? describeOptionsDrift(profile, wanted);
  if (lack !== undefined) return changed(lack);
  const verdict = judgeStatus(profile);
  if (verdict.kind === 'agrees') return undefined;
  if (verdict.kind === 'under-way') return 'under-way';
  return verdict.kind === 'broken' ? broken(verdict.note) : changed(verdict.note);
}

/** It had been seen as wanted a moment ago. */
function changed(lack: string): Error {
  return failure(FailureType.outcomeUnknown, `The address may not be protected: ${lack}.`, {
    advice: 'Look at the profile: does somebody else change it too?',
  });
}

function broken(note: string): Error {
  return failure(FailureType.taskFailed, `The tasks have finished, but ${note}.`, {
    advice: 'Ask the support of the API what is wrong with the profile; then start again.',
  });
}
