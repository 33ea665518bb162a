import type { PreparedSender } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import { StepState, type Resource } from '../core/status.js';
import { createDraft } from '../plan/planning.js';
import { parkWhileBlocked } from '../run/park-while-blocked.js';
import { restartOnCorrectedInput } from '../run/restart-on-corrected-input.js';
import type { Run } from '../run/run-types.js';
import type { Plan } from '../schema/documents.js';
import { nameEarlier } from '../send/name-earlier.js';
import { askedOf, takeTurnsAt, type Asked } from './step.js';
import { judgeMade } from './judge-made.js';
import { makeOnce, mutationOf } from './make-once.js';
import type { Made, MadeThing, MakeStep } from './make-step.js';
import { noMemory } from './making.js';

/**
 * Runs the step. Fails as `InvalidRequest` when its check has found a fault.
 *
 * A failed or cancelled run removes what it has made, and no more: what an earlier run of the request made stays.
 */
export async function runMake<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>(run: Run<P, I, A>, step: MakeStep<I, P, T, A>): Promise<Made<T>> {
  const memory = noMemory();
  nameEarlier(run, run.ledger.step(step.name), () => [
    mutationOf({ run, step, asked: askedOf(run), memory, recorder: run.ledger.step(step.name) }),
  ]);
  return restartOnCorrectedInput(run, async () => {
    const recorder = await run.begin(step.name);
    const asked = askedOf(run);
    // After a run that was cut short, `sendOnce` looks through the grace time before it sends.
    await takeTurnsAt(run, step.resources(asked));
    return parkWhileBlocked(run, async (unblocking) => {
      const shown = unblocking(recorder);
      const made = await makeOnce({ run, step, asked, memory, recorder: shown });
      const resources = [toResource(step, made.thing.id)];
      shown.set(StepState.verified, { resources, note: step.says(made.thing) });
      return made;
    });
  });
}

function toResource({ kind }: { kind: string }, id: string): Resource {
  return { kind, id };
}

/** Plans the step: what exists under the marker, its check and its calls. */
export async function planMake<
  I,
  P extends PreparedSender,
  T extends MadeThing,
  A extends RemoteApi,
>(operation: string, step: MakeStep<I, P, T, A>, asked: Asked<I, P, A>): Promise<Plan> {
  const draft = createDraft(operation);
  const { look, make } = step.calls(asked);
  draft.calls.push(look);
  const seen = await draft.look(`the ${step.kind}s`, () => step.list(asked));
  if (seen.is === 'missing') await step.explainMissing(asked, draft);
  if (seen.is !== 'there') return draft.finish();
  const verdict = judgeMade(step, asked, seen.value);
  if (verdict.kind === 'present') {
    draft.adopts.push(toResource(step, verdict.resource.id));
    return draft.finish();
  }
  if (verdict.kind === 'contradiction') {
    const advice = 'Look at what exists, and remove what should not be there.';
    draft.fault({ message: verdict.note, advice });
  }
  if (verdict.kind === 'leftover') {
    draft.warn({
      message: `An earlier try of this request left ${verdict.note}`,
      advice: 'The run removes it first if that try ended without success, and blocks otherwise.',
    });
    for (const { id } of seen.value) draft.irreversible.push(`May delete the ${step.kind} ${id}.`);
  }
  await step.check(asked, draft);
  draft.calls.push(...make);
  return draft.finish();
}
