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

interface Power {
  task: ActionTask;
  /** The status of the instance afterwards. */
  status: string;
  /** The status is the same before and after: only a finished task says that it has restarted. */
  restarts?: true;
}

const POWER: Readonly<Record<SetInstancePowerInput['action'], Power>> = {
  start: { task: TaskType.startVm, status: 'ACTIVE' },
  stop: { task: TaskType.stopVm, status: 'SHUTOFF' },
  reboot: { task: TaskType.softRebootVm, status: 'ACTIVE', restarts: true },
  reboot_hard: { task: TaskType.hardRebootVm, status: 'ACTIVE', restarts: true },
};

const power = instanceChange<SetInstancePowerInput>({
  name: 'set power',
  drift({ status }, { input: { action } }, isCarriedOut) {
    const { restarts = false, status: wanted } = POWER[action];
    if (restarts && !isCarriedOut) return 'it is not known to have restarted';
    return status === wanted ? undefined : `its status is ${status}`;
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
