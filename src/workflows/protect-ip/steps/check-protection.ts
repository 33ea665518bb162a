import type { DdosProfileView, ProfileIntent } from '../../../activities/ddos-profiles.js';
import { FailureType, type Fault } from '../../../engine/core/failures.js';
import { isSameValue } from '../../../engine/core/values.js';
import { StepState } from '../../../engine/core/status.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import {
  refuseChanged,
  refuseOutdatedInput,
} from '../../../engine/run/restart-on-corrected-input.js';
import { noticeReset } from '../../../engine/send/name-earlier.js';
import { blockOnContradiction, type Verdict } from '../../../engine/send/verdict.js';
import { cutShortAtOf } from '../../../engine/wait/wait-until.js';
import {
  listProfiles,
  placeOf,
  toState,
  type ProtectRun,
} from '../../shared/ddos-profile/ddos-run.js';
import {
  intendProfile,
  toProtection,
  whyUnprotectable,
} from '../../shared/ddos-profile/intended-profile.js';
import { chooseProfile } from '../../shared/ddos-profile/judge-profile.js';
import type { ProtectionUndo } from './undo-protection.js';

/** What the profile should become, and what was there before. */
export interface Checked {
  /** The input that was checked; a corrected input needs a new check. */
  input: unknown;
  intent: ProfileIntent;
  before: DdosProfileView | undefined;
  /** When it was read. The clock of the run right after a local activity is another one on replay. */
  seenAt: number;
}

/** Checks everything that is known before a call, in parallel: seconds count during an attack. */
export async function checkProtection(run: ProtectRun, step: StepRecorder): Promise<Checked> {
  step.set(StepState.waiting, { note: 'reading the present state' });
  const { input, prepared } = run;
  const { regionId, profile, address, profileId } = prepared;
  const place = { ...placeOf(prepared, address), inTwoLists: profileId === undefined };
  const asked = { regionId, profile: toProtection(profile), profilesOf: place };
  const { times, reads } = run.api;
  const { state: preflight, at } = await times.look(() => reads.preflightProtection(asked));
  let seenAt = at;
  let profiles: DdosProfileView[] | undefined = preflight.profiles;
  times.notePart(profiles, preflight);
  const look = async (): Promise<Verdict<DdosProfileView>> => {
    refuseOutdatedInput(run, input);
    const known = profiles;
    profiles = undefined;
    if (known !== undefined) return chooseProfile(known, profileId);
    const listed = await times.look(() => listProfiles(run, place));
    seenAt = listed.at;
    return chooseProfile(listed.state, profileId);
  };
  const first = await blockOnContradiction(run, look);
  // One answer may lack the template, and what is not known cannot be restored; or the status, which may be an error.
  const found = tellsAll(first) ? first : await blockOnContradiction(run, look);
  refuseOutdatedInput(run, input);
  const why = whyUnprotectable(regionId, preflight);
  if (why !== undefined) throw unprotectableFailure(why);
  const before = found.kind === 'present' ? found.resource : undefined;
  const { intent, faults } = intendProfile({ address, profile }, before, preflight.check);
  refuseFaults(faults);
  step.set(StepState.verified, { note: describe(before) });
  return { input, intent, before, seenAt };
}

/**
 * Throws when somebody has changed the profile since it was checked, while this run has sent nothing for it. What the
 * input does not name stays as it is, and so does what the run restores later.
 */
export function refuseChangedProfile(
  { sent, before }: ProtectionUndo,
  profile: DdosProfileView,
): void {
  refuseChanged(sent.isAny === true || isAsBefore(before, profile));
}

/**
 * What shows although this run has sent nothing and it was not there at the check: a run of the request that was reset or
 * terminated has sent it, and this one restores it as its own. Somebody else's change is checked first.
 */
export async function claimEarlierChange(
  run: ProtectRun,
  { sent, before }: ProtectionUndo,
  seen: DdosProfileView,
): Promise<void> {
  if (sent.isAny === true || isAsBefore(before, seen)) return;
  await noticeReset(run);
  refuseChanged(cutShortAtOf(run) !== undefined);
  sent.isAny = true;
}

/** Whatever its status is. */
export function isAsBefore(before: DdosProfileView | undefined, now: DdosProfileView): boolean {
  const toCompare = (view: DdosProfileView) => ({ ...toState(view), status: null });
  return before === undefined || isSameValue(toCompare(now), toCompare(before));
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, message }) => `  ${path}: ${message}`).join('\n');
  throw failure(
    FailureType.invalidInput,
    `The template of the profile does not accept this input:\n${lines}\n`,
    { advice: 'Correct the named fields and start again.', faults: [...faults] },
  );
}

function unprotectableFailure(why: string): Error {
  return failure(FailureType.invalidRequest, `${why}.`, {
    advice:
      'Nothing was changed. Ask the support of the API, or protect the address in another way.',
  });
}

function tellsAll(found: Verdict<DdosProfileView>): boolean {
  if (found.kind !== 'present') return true;
  const { templateId, status } = found.resource;
  return templateId !== undefined && status !== undefined;
}

function describe(before: DdosProfileView | undefined): string {
  if (before === undefined) return 'the address has no profile yet';
  const { id, templateId, active } = before;
  return `profile ${id}: template ${templateId ?? 'none'}, ${active ? 'active' : 'not active'}`;
}
