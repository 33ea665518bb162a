import type { ApiSight } from '../activities/api-calls.js';
import type { SentCall } from '../contract/operations/call-api.js';
import type { CallApiInput, CallApiResult } from '../contract/operations/types.js';
import { apiPathResource, Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { hasSecretRef } from '../contract/wire/secret-ref.js';
import { FailureType } from '../engine/core/failures.js';
import { isTerminal } from '../engine/core/tasks.js';
import { firstOf } from '../engine/core/text.js';
import { isoOf } from '../engine/core/times.js';
import type { Planned, PlannedCall } from '../engine/schema/documents.js';
import type { Trace } from '../engine/send/mutation.js';
import {
  changeOperation,
  type AccountChangeStep,
  type AskedOfAccount,
  type ChangeTasks,
  type Run,
} from './gcore.js';
import { checkPlannedSecrets } from './shared/plan/plan-parts.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { taskFailure } from './shared/task-failure.js';

type Asked = AskedOfAccount<CallApiInput>;
type Sight = ApiSight | { is: 'not looked at' };

const call: AccountChangeStep<CallApiInput, Sight> = {
  name: 'call API',
  resources: ({ input: { path, look } }) => [
    apiPathResource(path),
    ...(look === undefined || look.path === path ? [] : [apiPathResource(look.path)]),
  ],
  sendsOnce: ({ input: { look } }) => look === undefined,
  looksTwice: ({ input: { method, look } }) => method === 'POST' && look !== undefined,
  read: ({ input: { look, body }, reads }) =>
    look === undefined
      ? Promise.resolve({ is: 'not looked at' })
      : reads.lookAtApi({ ...look, ...(hasSecretRef(body) && { withholds: true }) }),
  // Absence is what a deletion asks for, and one 404 does not prove it.
  isWhole: ({ is }, { input: { look } }, isCarriedOut) =>
    isCarriedOut || look?.gone !== true || is !== 'missing',
  drift: (seen, { input }, isCarriedOut) => describeDrift(seen, input, isCarriedOut),
  async check(seen, asked, draft) {
    const { is } = seen;
    const { look, body } = asked.input;
    draft.warn({
      path: 'body',
      message: 'The plan knows nothing of this call: what the API refuses shows when it is sent',
      advice: 'Compare it with the documentation of the API.',
    });
    if (look === undefined) draft.warn(WITHOUT_LOOK);
    else if (is === 'missing') {
      draft.warn({
        path: 'look.path',
        message: `GET ${look.path} answers 404 now`,
        advice: 'That is as it should be when the call makes it. Otherwise check the path.',
      });
    }
    // What takes it back is another call, later.
    await checkPlannedSecrets(seen, { ...asked, input: { body } }, draft);
  },
  tasks: tasksOf,
  send: ({ api, input }, within) =>
    api.mutations.sendApiCall({ ...within, summary: nameOf(input) }, callOf(input)),
  says: ({ isSent, after }) => {
    const shown = after.is === 'there' ? `, and the look shows ${after.shown}` : '';
    return isSent ? `carried out${shown}` : `nothing was sent${shown}: it is as asked`;
  },
  irreversible: ({ input: { undo } }) =>
    undo === undefined
      ? 'The run takes nothing back, and the input names nothing that does.'
      : `The run takes nothing back. By the input, ${nameOf(undo)} does.`,
  calls: ({ input }) => ({
    ...(input.look && { read: lookCall(input.look, 'see whether it was carried out before') }),
    change: [
      { method: input.method, path: input.path, purpose: 'what the input asks for' },
      { method: 'GET', path: paths.task('{task_id}'), purpose: 'wait for the task, if any' },
      ...(input.look ? [lookCall(input.look, 'look until it shows')] : []),
    ],
  }),
};

const WITHOUT_LOOK = {
  path: 'look',
  message:
    'Without a look the call is sent at most once, and nothing but its task or its answer proves it',
  advice: 'Add a look: after a lost answer the run is blocked as OutcomeUnknown otherwise.',
};

function lookCall({ path }: { path: string }, purpose: string): PlannedCall {
  return { method: 'GET', path, purpose };
}

function nameOf({ method, path }: Pick<SentCall, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

function callOf({ method, path, query, body }: CallApiInput): SentCall {
  return { method, path, ...(query && { query }), ...(body && { body }) };
}

function describeDrift(
  seen: Sight,
  { look }: CallApiInput,
  isCarriedOut: boolean,
): string | undefined {
  if (look === undefined || seen.is === 'not looked at') {
    return isCarriedOut ? undefined : 'no look shows it';
  }
  if (seen.is === 'missing') {
    return look.gone === true ? undefined : `GET ${look.path} answers 404`;
  }
  if (look.gone === true) return `GET ${look.path} still finds it`;
  return seen.isAsWanted
    ? undefined
    : `GET ${look.path} has ${seen.shown} at "${look.pointer ?? ''}"`;
}

/** For the usual times of tasks, and for metrics: what a call starts is not known. */
const ANY_TASK = 'task of callApi';

function tasksOf({ input, reads }: Asked): ChangeTasks<Sight> {
  const { method, look } = input;
  return {
    type: ANY_TASK,
    async before() {
      // Others are told apart for a POST only: see `trace`.
      if (look === undefined || method !== 'POST') return [];
      const now = isoOf(Date.now());
      const { tasks } = await reads.listRecentTasks({ from: now, to: now });
      return tasks.map(({ id }) => id);
    },
    async trace({ from, to }, isKnown): Promise<Trace<Sight>> {
      const window = { from: isoOf(from), to: isoOf(to) };
      const { tasks, isCut } = await reads.listRecentTasks(window);
      const isOpen = ({ state }: { state: string }): boolean => !isTerminal(state);
      const others = tasks.filter(({ id }) => !isKnown(id));
      // The look shows nothing yet: one of them may be about to make it.
      if (others.some(isOpen) || (isCut && tasks.every(isOpen))) return { kind: 'pending' };
      // Only a POST makes a second one. Any other call says the same once more.
      if (method !== 'POST' || (others.length === 0 && !isCut)) return { kind: 'none' };
      const note = describeOthers(others);
      return { kind: 'contradiction', note, advice: ADVICE_OTHERS, isPartial: true };
    },
    toFailure: (task) => {
      const takesBack = input.undo && ` By the input, ${nameOf(input.undo)} takes it back.`;
      const advice = `Find out with the task id what it has left.${takesBack ?? ''} ${look ? START_AGAIN : START_ANOTHER}`;
      // Without a look it is never sent again, whatever a person can mend.
      const failed = look === undefined ? { ...task, errorType: FailureType.taskFailed } : task;
      return taskFailure(failed, { advice: { [FailureType.taskFailed]: advice } }).error;
    },
  };
}

const START_AGAIN = 'Then start again under the same request id.';
const START_ANOTHER = 'Then start again under another request id.';

const MAX_NAMED = 3;

function describeOthers(tasks: readonly { id: string }[]): string {
  const named = tasks.map(({ id }) => id);
  return `The look shows nothing of the call that may have been sent, but tasks of that time have finished that may be its own: ${firstOf(named, MAX_NAMED)}`;
}

const ADVICE_OTHERS =
  'Find out whether one of them is of this call, and whether the look is right. `resume` sends the call again, and ' +
  '`abort` ends the run.';

/**
 * Makes one call of the cloud API that no operation makes, if the worker allows its path.
 *
 * With a look it sends nothing when that shows the wanted value, and looks after a lost answer before it sends again. Without
 * a look it sends at most once. It undoes nothing by itself. Runs on one path take turns.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `QuotaExceeded`, `CapacityUnavailable`, `SecretUnavailable`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'`
 * it fails instead. With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function callApi(input: CallApiInput): Promise<CallApiResult | Planned> {
  const { callApi: operation } = Operation;
  const { prepareCallApi: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    call,
    ({ taskIds, isSent }, run): CallApiResult => ({
      ...placeOf(run.input),
      sent: isSent,
      created: createdBy(run, taskIds),
      undo: isSent && run.input.undo !== undefined ? placeOf(run.input.undo) : null,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}

/** Who may read a result may not see the values of an input. */
const placeOf = ({ method, path }: Pick<SentCall, 'method' | 'path'>) => ({ method, path });

const MAX_CREATED = 100;

/** What its tasks say that they have made. */
function createdBy(
  { tasks }: Pick<Run, 'tasks'>,
  taskIds: readonly string[],
): CallApiResult['created'] {
  return taskIds
    .flatMap((taskId) => {
      const { others = {}, ...known } = tasks.get(taskId)?.outcome?.created ?? {};
      return Object.entries<readonly (string | number)[]>({ ...known, ...others });
    })
    .flatMap(([kind, ids]) => ids.map((id) => ({ kind, id: String(id) })))
    .slice(0, MAX_CREATED);
}
