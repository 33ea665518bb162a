/** What steps have in common, whatever they do. */
import type { PreparedRun } from '../core/prepared-run.js';
import type { RemoteApi } from '../core/product.js';
import { latestOf } from '../core/times.js';
import type { Draft, PlanFault, PlanRun } from '../plan/planning.js';
import type { PlannedCall } from '../schema/documents.js';
import type { Run, Turn } from '../run/run-types.js';
import { takeTurn } from '../turns/turns.js';
import { waitOutLostCalls } from '../wait/wait-until.js';

/** What was asked for, and the reads that say what exists. */
export type Asked<I, P extends PreparedRun, A extends RemoteApi> = PlanRun<P, I, A>;

/** What every step states. `T` is what a look shows. */
export interface Step<I, P extends PreparedRun, T, A extends RemoteApi> {
  /** For the status: `resize instance`. */
  readonly name: string;
  /** The resource that it works on, such as `volume/4f…`, then others that it needs. Runs that do take turns. */
  resources(asked: Asked<I, P, A>): readonly [string, ...string[]];
  /** Why the state does not allow it. Judged before each call: a fault ends the run. */
  faults?(seen: T, asked: Asked<I, P, A>): readonly PlanFault[];
  /** Finds out by other reads whether it is possible, once: a fault ends the run before anything is sent. */
  check?(seen: T, asked: Asked<I, P, A>, draft: Draft): Promise<void>;
  /** What it does to what was seen that no rollback can undo: a sentence, if there is anything. */
  irreversible?(asked: Asked<I, P, A>, seen: T): string | undefined;
  /** Its calls, for a plan: the reads before, if there are any, and what follows when something is to be done. */
  calls(asked: Asked<I, P, A>): { read?: PlannedCall; change: readonly PlannedCall[] };
  /** Says in a plan what is missing, where it is not simply the resource. */
  explainMissing?(asked: Asked<I, P, A>, draft: Draft): Promise<void>;
}

interface Judged<I, P extends PreparedRun, T, A extends RemoteApi> {
  seen: T;
  asked: Asked<I, P, A>;
  draft: Draft;
  isFirst: boolean;
}

export async function findFaults<I, P extends PreparedRun, T, A extends RemoteApi>(
  step: Pick<Step<I, P, T, A>, 'faults' | 'check'>,
  { seen, asked, draft, isFirst }: Judged<I, P, T, A>,
): Promise<void> {
  for (const fault of step.faults?.(seen, asked) ?? []) draft.fault(fault);
  if (isFirst) await step.check?.(seen, asked, draft);
}

/** Says in a plan that what the step works on does not exist. */
export async function explainMissing<I, P extends PreparedRun, T, A extends RemoteApi>(
  step: Step<I, P, T, A>,
  asked: Asked<I, P, A>,
  draft: Draft,
): Promise<void> {
  if (step.explainMissing !== undefined) return step.explainMissing(asked, draft);
  const [resource] = step.resources(asked);
  draft.fault({ message: `There is no ${resource}`, advice: 'Check the id.' });
}

export function askedOf<I, P extends PreparedRun, A extends RemoteApi>({
  input,
  prepared,
  api: { reads, longReads },
}: Run<P, I, A>): Asked<I, P, A> {
  return { input, prepared, reads, longReads };
}

/** Takes the turns, and waits until no call of a run that was cut short in one of them can arrive. */
export async function takeOnlyTurns(run: Run, resources: readonly string[]): Promise<Turn[]> {
  const turns = await takeTurnsAt(run, resources);
  // Those of this request are looked for: they may have done the work.
  const cutShortAt = latestOf(...turns.map((turn) => turn.cutShortAt));
  await waitOutLostCalls(run, cutShortAt, 'late calls of a terminated run');
  return turns;
}

/**
 * Whether the run has had its turn at all of them since before its look, where only the look tells what they are. Otherwise it
 * takes the turns, and has to look again: what it has seen may have changed meanwhile.
 */
export async function hadTurns(run: Run, resources: readonly string[]): Promise<boolean> {
  if (resources.every((resource) => run.turns.held.has(resource))) return true;
  await takeOnlyTurns(run, resources);
  return false;
}

/**
 * Gives back every other turn: a corrected input may name another resource, and then nothing was sent for the one before.
 * In one order, in which a run waits for no turn while it has a later one: two runs could otherwise wait for each other.
 */
export async function takeTurnsAt(run: Run, resources: readonly string[]): Promise<Turn[]> {
  const { held } = run.turns;
  const wanted = [...new Set(resources)].sort();
  const missing = wanted.find((resource) => !held.has(resource));
  const isKept = (resource: string): boolean =>
    wanted.includes(resource) && (missing === undefined || resource < missing);
  for (const [resource, turn] of held) if (!isKept(resource)) await turn.end();
  const turns: Turn[] = [];
  for (const resource of wanted) turns.push(await takeTurn(run, resource));
  return turns;
}
