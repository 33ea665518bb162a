import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { addressResource, Held } from '../../../contract/wire/names.js';
import type { FieldsOf } from '../../../engine/core/prepared-run.js';
import type { PreparedProtectIp } from '../../../contract/wire/prepared.js';
import { StepState } from '../../../engine/core/status.js';
import {
  EARLIER_FIELDS,
  toEarlierHistory,
  type EarlierHistory,
} from '../../../engine/run/earlier-history.js';
import { mayHaveLostTurns } from '../../../engine/run/hear-turns.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import type { HeldLock } from '../../../engine/run/run-types.js';
import type { Run } from '../../gcore.js';
import { keepTurn } from '../../../engine/turns/turns.js';
import type { Hold, HoldTimes } from '../../../engine/wait/hold.js';
import { cutShortAtOf } from '../../../engine/wait/wait-until.js';
import { toResource, type ProtectRun } from '../../shared/ddos-profile/ddos-run.js';
import { describeRestored } from '../../shared/ddos-profile/restore-profile.js';
import { isAsBefore } from './check-protection.js';
import { Step } from './take-address.js';
import {
  restoreEarlier,
  undoOptions,
  undoProfile,
  type ProtectionUndo,
} from './undo-protection.js';

/** The steps of a run with `holdFor`. */
export function holdSteps({ holdForMs }: { holdForMs?: number }): string[] {
  return holdForMs === undefined ? [] : [Step.hold, Step.restore];
}

/** What was reached, and what putting the earlier state back needs. */
export interface Protected {
  undo: ProtectionUndo;
  /** As it was verified. */
  profile: DdosProfileView;
}

/** What a long hold hands over to its next history: plain data. */
export interface HandedOver extends Protected, EarlierHistory<PreparedProtectIp> {
  tasks: readonly (readonly [string, TaskWait])[];
  times: HoldTimes;
  /** The turn at the address, which the history before has taken. `isDoubted`: the run was reset since. */
  turn: HeldLock & { isDoubted: boolean };
}

/** What this version knows of `HandedOver`. */
export const HANDED_OVER_FIELDS = {
  ...EARLIER_FIELDS,
  undo: true,
  profile: true,
  tasks: true,
  times: true,
  turn: true,
} as const satisfies FieldsOf<HandedOver>;

type TaskWait = Run['tasks'] extends Map<string, infer W> ? W : never;

/** Goes on where the history before has stopped: with its turn, its undo and what it knows. */
export function takeOver(run: ProtectRun, { undo, tasks, turn }: HandedOver): void {
  const resource = addressResource(run.prepared.address);
  keepTurn(run, resource, turn);
  if (turn.isDoubted) run.turns.doubted.add(resource);
  for (const [taskId, wait] of tasks) run.tasks.set(taskId, { ...wait });
  undoProfile(run, run.ledger.step(Step.configure), undo);
  undoOptions(run, run.ledger.step(Step.activate), undo);
}

interface ToHold extends Protected {
  /** Of an earlier history. */
  times: HoldTimes | undefined;
  continueWith: (nextNow: () => HandedOver | undefined) => Promise<void>;
}

/**
 * Keeps the protection for the requested time, then restores the earlier state. Returns whether it did.
 * The deadline of a run covers the start of the protection, not the hold.
 */
export async function holdProtection(
  run: ProtectRun,
  hold: Hold,
  { undo, profile, times, continueWith }: ToHold,
): Promise<boolean> {
  const { holdForMs } = run.prepared;
  if (holdForMs === undefined) return false;
  run.ledger.addSteps([Step.hold, Step.restore]);
  run.liftDeadline();
  const step = await run.begin(Step.hold);
  const now = Date.now();
  const continueLong = (timesNow: () => HoldTimes | undefined) =>
    continueWith(() => {
      const next = timesNow();
      return next && handOver(run, { undo, profile, times: next });
    });
  await hold.keep(run, step, {
    holds: profile.active ? Held.protected : Held.notProtected,
    ...(times ?? { since: now, until: now + holdForMs }),
    continueLong,
  });
  const restore = await run.begin(Step.restore);
  restore.set(StepState.waiting);
  await parkWhileBlocked(run, () => restoreEarlier(run, restore, undo));
  // What was there before stays, and is named: a run of the request that was reset or terminated may have made it.
  const resources = undo.before === undefined ? [] : [toResource(undo.profileId)];
  restore.set(StepState.verified, { resources, note: noteOf(run, undo, profile) });
  return true;
}

/** A run that was cut short remembers nothing: what it has changed is what the next one finds, and puts back. */
function noteOf(run: ProtectRun, { before }: ProtectionUndo, profile: DdosProfileView): string {
  const note = describeRestored(before);
  const isUnchanged = before !== undefined && isAsBefore(before, profile);
  if (!isUnchanged || cutShortAtOf(run) === undefined) return note;
  return `${note}. So this run has found it, and one that was cut short may have changed it before`;
}

/** `undefined` for a run that does not have its turn: the next history could not go on with it. */
function handOver(run: ProtectRun, held: Protected & { times: HoldTimes }): HandedOver | undefined {
  const { undo } = held;
  const turn = run.turns.held.get(addressResource(run.prepared.address));
  if (turn === undefined) return undefined;
  const { lock, cutShortAt, keptUntil } = turn;
  return {
    ...held,
    undo: { place: undo.place, profileId: undo.profileId, sent: undo.sent, before: undo.before },
    ...toEarlierHistory(run),
    tasks: [...run.tasks],
    turn: { lock, cutShortAt, keptUntil, isDoubted: mayHaveLostTurns(run) },
  };
}
