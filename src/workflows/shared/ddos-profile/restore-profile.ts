import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { FailureType } from '../../../contract/failures.js';
import { converge } from '../../engine/send/converge.js';
import { failure } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run-types.js';
import { intentOf } from './ddos-run.js';
import {
  contentChange,
  optionsChange,
  untilProfileSettles,
  type ProfileTarget,
} from './profile-changes.js';

/**
 * Restores the earlier state of a profile and verifies it. Waits first until everything that was sent
 * for the profile has taken effect.
 */
export async function restoreProfile(
  run: Run,
  step: StepRecorder,
  { profile, before }: { profile: ProfileTarget; before: DdosProfileView },
): Promise<void> {
  const { taskIds, unknownAt } = profile.sent;
  if (taskIds.length === 0 && unknownAt === undefined) return;
  await untilProfileSettles(run, step, profile);
  const { id, templateId, active, bgp } = before;
  if (templateId === undefined) throw noTemplateFailure(id);
  const intent = intentOf(before);
  await converge(run, contentChange(run, step, { ...profile, intent }));
  await converge(run, optionsChange(run, step, { ...profile, options: { active, bgp } }));
}

/** The note about a restored profile. */
export function describeRestored(before: DdosProfileView | undefined): string {
  if (before === undefined) return 'the profile is removed: the address had none';
  const { id, templateId, active } = before;
  return `profile ${id} is as it was: template ${templateId ?? 'none'}, ${active ? 'active' : 'not active'}`;
}

function noTemplateFailure(id: number): Error {
  return failure(
    FailureType.invalidRequest,
    `Profile ${id} had no template, and the API accepts no profile without one.`,
    { advice: 'Set it by hand.' },
  );
}
