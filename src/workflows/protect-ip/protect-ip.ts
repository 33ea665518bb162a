import { Operation } from '../../contract/wire/names.js';
import type { ProtectIpInput, ProtectIpResult } from '../../contract/operations/types.js';
import type { Planned } from '../../engine/schema/documents.js';
import { continueRunAsNew } from '../../engine/run/continue-run-as-new.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { refuseUnknownFields } from '../../engine/run/refuse-unknown-fields.js';
import { createHold } from '../../engine/wait/hold.js';
import { planOrRun } from '../gcore.js';
import { nameEarlier } from '../../engine/send/name-earlier.js';
import { restartOnCorrectedInput } from '../../engine/run/restart-on-corrected-input.js';
import { planProtectIp } from './plan/plan-protect-ip.js';
import { activateProfile, type Activated } from './steps/activate-profile.js';
import { checkProtection } from './steps/check-protection.js';
import { configureProfile, type Configured } from './steps/configure-profile.js';
import { earlierProfile } from './steps/create-profile-once.js';
import { toState, type ProtectRun } from '../shared/ddos-profile/ddos-run.js';
import {
  HANDED_OVER_FIELDS,
  holdProtection,
  holdSteps,
  takeOver,
  type HandedOver,
  type Protected,
} from './steps/hold-protection.js';
import { Step, takeAddress } from './steps/take-address.js';
import { restoreOthers, type ProtectionUndo } from './steps/undo-protection.js';
import { verifyProtection } from './steps/verify-protection.js';

/**
 * Protects one IP address with a DDoS profile. Reports success only when a read shows the profile
 * active, with the requested template and fields.
 *
 * Before it sends anything it checks everything that can be checked and remembers the earlier profile.
 * With `holdFor` it restores that profile after this time; the updates `extend` and `restore` move the
 * end. A failed or cancelled run restores it too; `onFailure: 'keep'` leaves things as they are.
 * A long hold with many updates continues in a new history, and so does one when a newer version of the workers is
 * current.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need
 * a person (`Unauthorized`, `QuotaExceeded`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails
 * instead.
 * With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function protectIp(
  input: ProtectIpInput,
  before?: HandedOver,
): Promise<ProtectIpResult | Planned> {
  refuseUnknownFields('the hold', before, HANDED_OVER_FIELDS);
  const hold = createHold(before !== undefined);
  return planOrRun(
    {
      operation: Operation.protectIp,
      steps: [Step.check, Step.configure, Step.activate, Step.verify],
      earlier: before,
      ...(before && { earlierLocks: [before.turn.lock] }),
      creatingStep: Step.configure,
      input,
      prepare: prepareActivities.prepareProtectIp,
      plan: planProtectIp,
      unchangeableField: (earlier, corrected) =>
        earlier.address === corrected.address ? undefined : 'address',
    },
    async (run) => {
      hold.follow(run, () => run.prepared.holdForMs !== undefined);
      run.ledger.addSteps(holdSteps(run.prepared));
      if (before !== undefined) takeOver(run, before);
      const { undo, profile } = before ?? (await protect(run));
      const restored = await holdProtection(run, hold, {
        undo,
        profile,
        times: before?.times,
        continueWith: (nextNow) =>
          continueRunAsNew<typeof protectIp>(run, () => {
            const next = nextNow();
            return next && [run.input, next];
          }),
      });
      return toResult(run, { undo, profile, restored });
    },
  );
}

/** Protects the address. Everything that this makes or changes has its undo. */
async function protect(run: ProtectRun): Promise<Protected> {
  nameEarlier(run, run.ledger.step(Step.configure), () => [earlierProfile(run)]);
  await takeAddress(run, await run.begin(Step.check));
  const { configured, activated } = await checkAndSend(run);
  const step = await run.begin(Step.verify);
  const profile = await verifyProtection(run, step, { configured, activated });
  return { undo: configured, profile };
}

/** Checks a corrected input, or a profile that somebody has changed, again before it sends anything for it. */
function checkAndSend(run: ProtectRun): Promise<{ configured: Configured; activated: Activated }> {
  const begun: ProtectionUndo[] = [];
  return restartOnCorrectedInput(run, async () => {
    const checked = await checkProtection(run, await run.begin(Step.check));
    const configure = await run.begin(Step.configure);
    await restoreOthers(run, configure, { begun, profileId: checked.before?.id });
    const configured = await configureProfile(run, configure, { checked, begun });
    const activated = await activateProfile(run, await run.begin(Step.activate), configured);
    return { configured, activated };
  });
}

function toResult(
  run: ProtectRun,
  { undo, profile, restored }: Protected & { restored: boolean },
): ProtectIpResult {
  const { before, profileId, sent } = undo;
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
