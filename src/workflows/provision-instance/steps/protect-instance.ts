import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import type { PreparedProvisionInstance } from '../../../contract/wire/prepared.js';
import { Operation, type Place } from '../../../contract/wire/names.js';
import { FailureType } from '../../../engine/core/failures.js';
import { isSameValue } from '../../../engine/core/values.js';
import type { WorkflowOf } from '../../../contract/operations/index.js';
import type {
  ProtectIpResult,
  ProvisionInstanceResult,
} from '../../../contract/operations/types.js';
import { StepState, type Resource } from '../../../engine/core/status.js';
import { detailsOf, failure, isCutShortPart } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run } from '../../gcore.js';
import { toResource } from '../../shared/ddos-profile/ddos-run.js';
import { removeProfiles } from '../../shared/ddos-profile/remove-profile.js';
import { partFields, partId, runPart } from '../../shared/run-part.js';
import { restoreProfile } from '../../shared/ddos-profile/restore-profile.js';

type ProvisionRun = Run<PreparedProvisionInstance>;
type Protection = NonNullable<ProvisionInstanceResult['protection']>;

/** How the run that protects the address has ended. */
interface Ended {
  result?: ProtectIpResult;
  left: Resource[];
  /** It was terminated, so it could not undo anything. */
  isCutShort?: boolean;
}

/**
 * Protects the public address of a new instance with a run of `protectIp`. That run undoes its own work
 * when it fails or is cancelled together with this one. When it has succeeded already, this run undoes
 * the protection before it removes the instance.
 */
export async function protectInstance(
  run: ProvisionRun,
  step: StepRecorder,
  where: Place & { address: string },
): Promise<Protection> {
  const { address } = where;
  const ended: Ended = { left: [] };
  run.onRollback(step, {
    undo: () => undoProtection(run, step, { where, ended }),
    inventory: () => Promise.resolve(ended.left),
    note: 'nothing of the protection is left',
  });
  try {
    const { result, workflowId } = await runPart(run, step, {
      operation: Operation.protectIp,
      as: PROTECTION,
      input: inputOf(run, where),
      summary: `protect ${address}`,
    });
    ended.result = result;
    const { profileId, status, after, taskIds } = result;
    ended.left = [toResource(profileId)];
    step.set(StepState.verified, { taskIds, resources: ended.left });
    return { address, profileId, active: after.active, status, workflowId };
  } catch (error) {
    ended.left = detailsOf(error).resources ?? [];
    ended.isCutShort = isCutShortPart(error);
    step.set(StepState.failed, { resources: ended.left });
    throw ended.isCutShort ? endedFailure(FailureType.aborted, CUT_SHORT) : error;
  }
}

/** The end of the Workflow Id of the run that protects the address. */
const PROTECTION = 'protect';

function inputOf(
  run: ProvisionRun,
  { address, ...place }: Place & { address: string },
): Parameters<WorkflowOf<'protectIp'>>[0] {
  const { protect, onFailure } = run.prepared;
  const { profile_template = 0, ...rest } = protect ?? {};
  const profile = { ip_address: address, profile_template, ...rest };
  return { ...partFields(run), ...place, profile, onFailure };
}

/** Undoes only a finished protection; otherwise the other run has undone it itself, or says what it has left. */
async function undoProtection(
  run: ProvisionRun,
  step: StepRecorder,
  { where, ended }: { where: Place & { address: string }; ended: Ended },
): Promise<void> {
  const { result, left, isCutShort } = ended;
  const notUndone = (why: string) => endedFailure(FailureType.removalBlocked, why);
  if (left.length > 0 && result === undefined) throw notUndone('could not undo its work');
  if (isCutShort === true) throw notUndone(CUT_SHORT);
  if (result === undefined) return;
  const { profileId, before, after, taskIds } = result;
  const isSame = isSameValue({ ...before, status: after.status }, after);
  const isAny = taskIds.length > 0 || !isSame;
  const sent = { taskIds: [...taskIds], ...(isAny && { isAny }) };
  if (before === null) {
    const made = { place: where, sent, ids: () => [profileId], isForeign: () => true };
    await removeProfiles(run, step, { made, taskIds: [] });
    return;
  }
  const profile = { place: where, profileId, sent };
  await restoreProfile(run, step, { profile, before: toView(profileId, before) });
}

function toView(
  id: number,
  { profile, active, bgp }: NonNullable<ProtectIpResult['before']>,
): DdosProfileView {
  return {
    id,
    address: profile.ip_address,
    templateId: profile.profile_template ?? undefined,
    fields: profile.fields.map((field) => ({ ...field, isUsual: false })),
    active,
    bgp,
    status: undefined,
    problem: undefined,
    managedBy: undefined,
  };
}

const CUT_SHORT = 'was terminated or has timed out, and has undone nothing';

function endedFailure(type: FailureType, why: string): Error {
  return failure(type, `The run ${partId(PROTECTION)} ${why}.`, {
    advice: 'Look at the DDoS profiles of the address, and remove what you do not need.',
  });
}
