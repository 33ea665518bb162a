import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { FailureType } from '../../../contract/failures.js';
import { converge } from '../../engine/send/converge.js';
import { failure } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run-types.js';
import { intentOf } from './ddos-run.js';
import { contentChange, optionsChange, untilQuiet, type OwnProfile } from './profile-changes.js';

/**
 * Puts a profile back to what it was, after all that was sent for it has taken effect; reads it back.
 */
export async function restoreProfile(
  run: Run,
  step: StepRecorder,
  { profile, before }: { profile: OwnProfile; before: DdosProfileView },
): Promise<void> {
  const { taskIds, unknownAt } = profile.sent;
  if (taskIds.length === 0 && unknownAt === undefined) return;
  await untilQuiet(run, step, profile);
  const { id, templateId, active, bgp } = before;
  if (templateId === undefined) throw noTemplate(id);
  const intent = intentOf(before);
  await converge(run, contentChange(run, step, { ...profile, intent }));
  await converge(run, optionsChange(run, step, { ...profile, options: { active, bgp } }));
}

/** What to say of a profile that has been put back. */
export function describeRestored(before: DdosProfileView | undefined): string {
  if (before === undefined) return 'the profile is removed: the address had none';
  const { id, templateId, active } = before;
  return `profile ${id} is as it was: template ${templateId ?? 'none'}, ${active ? 'active' : 'not active'}`;
}

function noTemplate(id: number): Error {
  return failure(
    FailureType.invalidRequest,
    `Profile ${id} had no template, and the API takes no profile without one.`,
    { advice: 'Set it by hand.' },
  );
}
