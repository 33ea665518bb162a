import type {
  SetInstancePowerInput,
  SetInstancePowerResult,
} from '../contract/operations/types.js';
import { Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType, type ActionTask } from '../contract/wire/tasks.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation } from './gcore.js';
import { instanceChange, instanceOf } from './shared/instance-change.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { lockOf } from './shared/resource-change.js';

interface Power {
  task: ActionTask;
  /** The status of the instance afterwards. */
  status: string;
  /** Here the API refuses it, unless a task is about to change that. Source: clouds of the same family. */
  never: readonly string[];
  /** The status is the same before and after: only a finished task says that it has restarted. */
  restarts?: true;
}

const PUT_AWAY = ['SHELVED', 'SHELVED_OFFLOADED', 'SOFT_DELETED', 'DELETED'] as const;
const AT_REST = [...PUT_AWAY, 'PAUSED', 'SUSPENDED'] as const;

const POWER: Readonly<Record<SetInstancePowerInput['action'], Power>> = {
  start: { task: TaskType.startVm, status: 'ACTIVE', never: [...AT_REST, 'ERROR'] },
  stop: { task: TaskType.stopVm, status: 'SHUTOFF', never: AT_REST },
  reboot: {
    task: TaskType.softRebootVm,
    status: 'ACTIVE',
    restarts: true,
    never: [...AT_REST, 'SHUTOFF', 'ERROR'],
  },
  reboot_hard: { task: TaskType.hardRebootVm, status: 'ACTIVE', restarts: true, never: PUT_AWAY },
};

const power = instanceChange<SetInstancePowerInput>({
  name: 'set power',
  drift({ status }, { input: { action } }, isCarriedOut) {
    const { restarts = false, status: wanted } = POWER[action];
    if (restarts && !isCarriedOut) return 'it is not known to have restarted';
    return status === wanted ? undefined : `its status is ${status}`;
  },
  faults(seen, { input: { action } }) {
    const { status } = seen;
    if (!POWER[action].never.includes(status) || lockOf('instance', seen) !== undefined) return [];
    const advice = 'Bring it into another state first: look at it in the portal.';
    return [
      { path: 'action', message: `The instance is ${status}: no ${action} is possible`, advice },
    ];
  },
  call: (target) => ({
    path: paths.instanceAction(target, target.id),
    purpose: 'start, stop or restart it',
  }),
  send: (run, within) =>
    run.api.mutations.setInstancePower(
      { ...within, summary: run.input.action },
      { ...instanceOf(run), action: run.input.action },
    ),
  starts: ({ action }) => POWER[action].task,
  leavesNoTrace: ({ action }) => POWER[action].restarts === true,
  says: ({ before, after }) => `${before.status} → ${after.status}`,
  irreversible: ({ input: { action } }) =>
    action === 'start' ? undefined : 'What runs on the instance ends: no start brings it back.',
});

/**
 * Starts, stops or restarts an instance. Reports success only when a read shows its status, and of a restart only when
 * its task has finished.
 *
 * Sends nothing when the instance is started or stopped already. After a lost answer it sends again only when no task
 * of the call shows in the grace time. Nothing but its task tells a restart: where tasks do not name their instance,
 * the run blocks as `OutcomeUnknown` and a person decides. Runs on one instance take turns. A failed or cancelled run
 * changes nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function setInstancePower(
  input: SetInstancePowerInput,
): Promise<SetInstancePowerResult | Planned> {
  const { setInstancePower: operation } = Operation;
  const { prepareSetInstancePower: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    power,
    ({ before, after, taskIds }, { ledger }): SetInstancePowerResult => ({
      instanceId: after.id,
      before: before.status,
      status: after.status,
      taskIds,
      ledger: ledger.document().steps,
    }),
  );
}
