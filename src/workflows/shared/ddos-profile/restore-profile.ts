import type {
  DdosProfileView,
  ProfileIntent,
  ProfileOptions,
} from '../../../activities/ddos-profiles.js';
import { FailureType } from '../../../engine/core/failures.js';
import { converge } from '../../../engine/send/converge.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run } from '../../gcore.js';
import { intentOf, readProfile } from './ddos-run.js';
import {
  contentChange,
  optionsChange,
  proveContent,
  provesContentLater,
  undoing,
  untilProfileSettles,
  type ProfileTarget,
} from './profile-changes.js';

interface ToRestore {
  profile: ProfileTarget;
  before: DdosProfileView;
}

/**
 * Restores the earlier state of a profile and verifies it. Waits first until everything that was sent
 * for the profile has taken effect.
 */
export async function restoreProfile(
  run: Run,
  step: StepRecorder,
  { profile, before }: ToRestore,
): Promise<void> {
  if (profile.sent.isAny !== true) return;
  await untilProfileSettles(run, step, profile);
  const { id, templateId, active, bgp } = before;
  if (templateId === undefined) throw noTemplateFailure(id);
  const intent = intentOf(before, templateId);
  const known = await readProfile(run, profile.place, profile.profileId);
  const target = { ...profile, intent };
  await restoreKnown(run, step, { target, options: { active, bgp }, known });
}

interface Restored {
  target: ProfileTarget & { intent: ProfileIntent };
  options: ProfileOptions;
}

/** One read shows what has to be sent, and one read after everything was sent proves it. */
async function restoreKnown(
  run: Run,
  step: StepRecorder,
  { target, options, known }: Restored & { known: DdosProfileView },
): Promise<DdosProfileView> {
  const { sent } = target;
  const content = contentChange(run, step, target);
  const isProvenLater = provesContentLater(known, options);
  const earlier = sent.taskIds.length;
  const seen = await converge(run, undoing({ ...content, known, isProvenLater }));
  const isProven = content.drift(seen) === undefined;
  const taskIds = sent.taskIds.slice(earlier);
  const switching = optionsChange(run, step, { ...target, options });
  const switched = await converge(run, undoing({ ...switching, known: seen }));
  if (isProven) return switched;
  return proveContent(run, step, { ...target, seen: switched, taskIds });
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
    `No answer has said which template profile ${id} had, and the API accepts no profile without one.`,
    { advice: 'Set it by hand.' },
  );
}
