import type { DdosProfileView } from '../../activities/ddos-profiles.js';
import { Operation } from '../../contract/names.js';
import type { ProtectIpInput, ProtectIpResult } from '../../contract/operations/protect-ip.js';
import type { Planned } from '../../contract/plan.js';
import { prepareActivities } from '../engine/run/prepare-activities.js';
import { createHold } from '../engine/wait/hold.js';
import { planOrRun } from '../engine/plan/plan-or-run.js';
import { restartOnCorrectedInput } from '../engine/run/restart-on-corrected-input.js';
import { planProtectIp } from './plan/plan-protect-ip.js';
import { activateProfile } from './steps/activate-profile.js';
import { checkProtection } from './steps/check-protection.js';
import { configureProfile, type Configured } from './steps/configure-profile.js';
import { toState, type ProtectRun } from '../shared/ddos-profile/ddos-run.js';
import { holdProtection, holdSteps } from './steps/hold-protection.js';
import { takeAddress } from './steps/take-address.js';
import { verifyProtection } from './steps/verify-protection.js';

const CHECK = 'check protection';
const CONFIGURE = 'configure profile';
const ACTIVATE = 'activate profile';
const VERIFY = 'verify protection';

/**
 * Protects one IP address with a DDoS profile. Reports success only when a read shows the profile
 * active, with the requested template and fields.
 *
 * Before it sends anything it checks everything that can be checked and remembers the earlier profile.
 * With `holdFor` it restores that profile after this time; the updates `extend` and `restore` move the
 * end. A failed or cancelled run restores it too; `onFailure: 'keep'` leaves things as they are.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need
 * a person (`Unauthorized`, `QuotaExceeded`, `OutcomeUnknown`); with `onBlocked: 'fail'` it fails instead.
 * With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function protectIp(input: ProtectIpInput): Promise<ProtectIpResult | Planned> {
  const hold = createHold();
  return planOrRun(
    {
      operation: Operation.protectIp,
      steps: [CHECK, CONFIGURE, ACTIVATE, VERIFY],
      creatingStep: CONFIGURE,
      input,
      prepare: prepareActivities.prepareProtectIp,
      plan: planProtectIp,
      unchangeableField: (before, corrected) =>
        before.address === corrected.address ? undefined : 'address',
    },
    async (run) => {
      run.ledger.addSteps(holdSteps(run.prepared));
      await takeAddress(run, await run.begin(CHECK));
      const configured = await checkAndConfigure(run);
      const { bgp } = await activateProfile(run, await run.begin(ACTIVATE), configured);
      const step = await run.begin(VERIFY);
      const profile = await verifyProtection(run, step, { configured, bgp });
      const restored = await holdProtection(run, hold, configured);
      return toResult(run, { configured, profile, restored });
    },
  );
}

/** Checks a corrected input again before it sends anything for it. */
function checkAndConfigure(run: ProtectRun): Promise<Configured> {
  return restartOnCorrectedInput(run, async () => {
    const checked = await checkProtection(run, await run.begin(CHECK));
    return configureProfile(run, await run.begin(CONFIGURE), checked);
  });
}

function toResult(
  run: ProtectRun,
  end: { configured: Configured; profile: DdosProfileView; restored: boolean },
): ProtectIpResult {
  const { configured, profile, restored } = end;
  const { before, profileId, sent } = configured;
  return {
    profileId,
    created: before === undefined,
    before: before === undefined ? null : toState(before),
    after: toState(profile),
    status: profile.status ?? null,
    restored,
    taskIds: sent.taskIds,
    ledger: run.ledger.document().steps,
  };
}
