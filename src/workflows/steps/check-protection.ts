import type { TemplateCheck } from '../../activities/ddos-preflight.js';
import type { DdosProfileView, ProfileIntent } from '../../activities/ddos-profiles.js';
import { FailureType, type Fault } from '../../contract/failures.js';
import { StepState } from '../../contract/status.js';
import { failure } from '../engine/failures.js';
import type { StepRecorder } from '../engine/ledger.js';
import { refuseOutdated } from '../engine/until-input-stays.js';
import { resolved, type Verdict } from '../engine/verdict.js';
import { intentOf, listProfiles, placeOf, type ProtectRun } from './ddos-run.js';
import { chooseProfile } from './judge-profile.js';

/** What is to be, and what was there before. */
export interface Checked {
  /** The input that was checked: a corrected one has to be checked too. */
  input: unknown;
  intent: ProfileIntent;
  before: DdosProfileView | undefined;
}

/** All that can be known before anything is sent, asked at once: in an attack seconds count. */
export async function checkProtection(run: ProtectRun, step: StepRecorder): Promise<Checked> {
  step.set(StepState.waiting, { note: 'reads what there is' });
  const { input, plan } = run;
  const { regionId, profile, address, profileId } = plan;
  const { profile_template, fields } = profile;
  const place = placeOf(plan, address);
  const look = async (): Promise<Verdict<DdosProfileView>> => {
    refuseOutdated(run, input);
    return chooseProfile(await listProfiles(run, place), profileId);
  };
  const body = fields === undefined ? { profile_template } : { profile_template, fields };
  const [{ isCovered, isAccessible, message, check }, found] = await Promise.all([
    run.api.repeatable.preflightProtection({ regionId, profile: body }),
    resolved(run, look),
  ]);
  refuseOutdated(run, input);
  if (!isCovered) throw notPossible(regionId, 'has no DDoS protection');
  if (!isAccessible) {
    throw notPossible(regionId, `does not give this account DDoS protection: ${message ?? ''}`);
  }
  const before = found.kind === 'present' ? found.resource : undefined;
  const intent = toIntent(run, before, check);
  step.set(StepState.verified, { note: describe(before) });
  return { input, intent, before };
}

/** Without fields in the input those of the profile stay, as long as the template does. */
function toIntent(
  { plan: { profile, address } }: ProtectRun,
  before: DdosProfileView | undefined,
  { faults, faultsIfBare }: TemplateCheck,
): ProfileIntent {
  const { profile_template, fields } = profile;
  refuseFaults(faults);
  if (fields !== undefined) return { ip_address: address, profile_template, fields };
  if (before?.templateId === profile_template) return intentOf(before);
  refuseFaults(faultsIfBare);
  return { ip_address: address, profile_template, fields: [] };
}

function refuseFaults(faults: Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, message }) => `  ${path}: ${message}`).join('\n');
  throw failure(
    FailureType.invalidInput,
    `The template of the profile does not take this input:\n${lines}\n`,
    { advice: 'Correct the named fields and start again.', faults },
  );
}

function notPossible(regionId: number, why: string): Error {
  return failure(FailureType.invalidRequest, `Region ${regionId} ${why.trim()}.`, {
    advice:
      'Nothing was changed. Ask the support of the API, or protect the address by other means.',
  });
}

function describe(before: DdosProfileView | undefined): string {
  if (before === undefined) return 'the address has no profile yet';
  const { id, templateId, active } = before;
  return `profile ${id}: template ${templateId ?? 'none'}, ${active ? 'active' : 'not active'}`;
}
