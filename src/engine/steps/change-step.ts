import type { PreparedChange } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import { StepState } from '../core/status.js';
import type { StartedTasks } from '../core/tasks.js';
import type { Plan } from '../schema/documents.js';
import { createDraft } from '../plan/planning.js';
import { refuseFaults } from '../plan/refuse-faults.js';
import type { Within } from '../run/activity-calls.js';
import { restartOnCorrectedInput } from '../run/restart-on-corrected-input.js';
import type { StepRecorder } from '../run/ledger.js';
import type { Run } from '../run/run-types.js';
import { changeOnce } from '../send/change-once.js';
import { admitEarlier } from '../send/name-earlier.js';
import type { Changed, ChangeTasks, SentCall, Settling } from '../send/one-change.js';
import {
  askedOf,
  explainMissing,
  findFaults,
  takeOnlyTurns,
  type Asked,
  type Step,
} from './step.js';

/** What was asked for, and the last call, once one has gone out. */
type AskedAndSent<I, P extends PreparedChange, T, A extends RemoteApi> = Asked<I, P, A> & {
  sent?: SentCall<T> | undefined;
};

interface Makes<I, P extends PreparedChange, T, A extends RemoteApi> {
  readonly kind: string;
  find(seen: T, asked: AskedAndSent<I, P, T, A>): { id: number } | undefined;
}

/**
 * A step that changes one resource, as an operation states it. The engine runs it (`runChange`): it takes the turn,
 * reads, sends once what differs, waits for the tasks, reads again and compares. And it plans it (`planChange`)
 * from the same members, without `send`.
 */
export interface ChangeStep<
  I,
  P extends PreparedChange,
  T extends object,
  A extends RemoteApi,
> extends Step<I, P, T, A> {
  /** What the call makes: the ledger names it as soon as its answer does, or a look after a lost answer. */
  readonly makes?: Makes<I, P, T, A>;
  /** Whether the call makes something of which there must not be two: one look that does not show it is not believed. */
  looksTwice?(asked: Asked<I, P, A>): boolean;
  /** Fails as `NotFound` when the resource does not exist. */
  read(asked: AskedAndSent<I, P, T, A>): Promise<T>;
  /** Whether a read shows all that it needs, see `SureRead`. `isCarriedOut`: the API says so, see `OneChange`. */
  isWhole?(seen: T, asked: Asked<I, P, A>, isCarriedOut: boolean): boolean;
  /** Whether a list shows what a read has not: the resource, or a part of what was seen. */
  isListed?(asked: Asked<I, P, A>, seen: T | undefined): Promise<boolean | undefined>;
  /** How the state differs from the wanted one, see `OneChange`. */
  drift(seen: T, asked: AskedAndSent<I, P, T, A>, isCarriedOut: boolean): string | undefined;
  send(run: Run<P, I, A>, within: Within, seen: T): Promise<StartedTasks | object>;
  /** Its status, where nothing is at work that changes it. A run that was blocked asks before it changes another one. */
  rests?(seen: T): string | undefined;
  /** What holds it, or something else that the call needs, in words: a task, or a status. Then a 409 passes. */
  held?(seen: T, asked: Asked<I, P, A>): Promise<string | undefined>;
  /** Waits for what may change what the call rests on, see `OneChange`. */
  untilOthersEnd?(run: Run<P, I, A>, recorder: StepRecorder, seen: T): Promise<boolean>;
  /** No read shows what the call has done, see `OneChange`. */
  sendsOnce?(asked: Asked<I, P, A>): boolean;
  /** The tasks that `send` starts; left out where the API has none for it. */
  tasks?(asked: Asked<I, P, A>): ChangeTasks<T, A>;
  /** Where the wanted state alone is not the end, see `OneChange`. */
  settling?: Settling<T>;
  /** For the status, when it is done: `g2-standard-2-4 → g2-standard-4-8`. */
  says(changed: Changed<T>): string;
}

/** Runs the step. Fails as `InvalidRequest` when its check has found a fault. */
export function runChange<I, P extends PreparedChange, T extends object, A extends RemoteApi>(
  run: Run<P, I, A>,
  step: ChangeStep<I, P, T, A>,
): Promise<Changed<T>> {
  const earlier = admitEarlier(run, run.ledger.step(step.name));
  return restartOnCorrectedInput(run, async () => {
    const recorder = await run.begin(step.name);
    const asked = askedOf(run);
    await takeOnlyTurns(run, step.resources(asked));
    let sent: SentCall<T> | undefined;
    let before: T | undefined;
    const looksTwice = step.makes !== undefined || step.looksTwice?.(asked) === true;
    const lacks = (seen: T): boolean => step.drift(seen, asked, false) !== undefined;
    const name = (id: number | undefined): void => {
      if (step.makes === undefined || id === undefined) return;
      const resources = [{ kind: step.makes.kind, id: String(id) }];
      recorder.set(recorder.state, { resources });
    };
    const isRefused = (seen: T): boolean => (step.faults?.(seen, asked) ?? []).length > 0;
    const changed = await changeOnce<T, A>(run, {
      step: recorder,
      earlier,
      input: asked.input,
      sendsOnce: step.sendsOnce?.(asked),
      tasks: step.tasks?.(asked),
      read: async () => {
        const read = () => step.read({ ...asked, sent });
        const first = await read();
        if (!looksTwice || sent !== undefined || !lacks(first)) return first;
        const second = await read();
        // What forbids the call has shown once: that it does not now may be the wrong answer of the two.
        const isOdd = lacks(second) && isRefused(first) && !isRefused(second);
        return isOdd ? read() : second;
      },
      sure: {
        isWhole: (seen, isCarriedOut) => step.isWhole?.(seen, asked, isCarriedOut) ?? true,
        isListed: async (seen) => step.isListed?.(asked, seen),
      },
      drift: (seen, isCarriedOut) => step.drift(seen, { ...asked, sent }, isCarriedOut),
      check: (seen, isFirst) =>
        refuseFaults(
          recorder,
          (draft) => findFaults(step, { seen, asked, draft, isFirst }),
          isFirst,
        ),
      async send(within, seen) {
        before = sent?.before ?? seen;
        const answer = await step.send(run, within, seen);
        sent = { before, madeId: madeIdIn(answer) };
        name(sent.madeId);
        return answer;
      },
      rests: step.rests && ((seen) => step.rests?.(seen)),
      held: step.held && ((seen) => step.held?.(seen, asked) ?? Promise.resolve(undefined)),
      untilOthersEnd:
        step.untilOthersEnd &&
        ((seen) => step.untilOthersEnd?.(run, recorder, seen) ?? Promise.resolve(false)),
      settling: step.settling,
      onUnknown: () => {
        if (before !== undefined) sent ??= { before };
      },
      onShown: (seen) => {
        if (sent !== undefined) name(step.makes?.find(seen, { ...asked, sent })?.id);
      },
    });
    const result = { ...changed, sent };
    recorder.set(StepState.verified, { note: step.says(result) });
    return result;
  });
}

function madeIdIn(answer: object): number | undefined {
  return 'id' in answer && typeof answer.id === 'number' ? answer.id : undefined;
}

/** Plans the step: its reads, its check and what differs. */
export async function planChange<
  I,
  P extends PreparedChange,
  T extends object,
  A extends RemoteApi,
>(operation: string, step: ChangeStep<I, P, T, A>, asked: Asked<I, P, A>): Promise<Plan> {
  const draft = createDraft(operation);
  const { read, change } = step.calls(asked);
  if (read !== undefined) draft.calls.push(read);
  const [resource] = step.resources(asked);
  const seen = await draft.look(resource, () => step.read(asked));
  if (seen.is === 'missing') await explainMissing(step, asked, draft);
  if (seen.is !== 'there') return draft.finish();
  if (step.drift(seen.value, asked, false) === undefined) {
    draft.warn({
      message: `${resource} is as wanted already`,
      advice: 'Nothing to do: the run would send nothing.',
    });
    return draft.finish();
  }
  await findFaults(step, { seen: seen.value, asked, draft, isFirst: true });
  draft.calls.push(...change);
  const irreversible = step.irreversible?.(asked, seen.value);
  if (irreversible !== undefined) draft.irreversible.push(irreversible);
  return draft.finish();
}
