import { TaskType } from '../../src/contract/wire/tasks.js';
import { answerOf } from './kept-answers.js';

/** More than one page of create tasks for instances of the same name. */
const TASKS = 1_100;
/** The list of instances lags: it does not show the last ones yet. */
const LISTED = 1_055;
/** The one that the run has made. */
const OWN = 1_070;
const ENDED = 1_095;

export const CROWD = { marker: 'default/provision-instance/default/order-1', own: taskId(OWN) };

function idOf(kind: string, at: number): string {
  return `${kind}00000-0000-4000-8000-${String(at).padStart(12, '0')}`;
}

function taskId(at: number): string {
  return idOf('aaa', at);
}

function toTask(at: number) {
  const hasEnded = at < ENDED;
  return {
    id: taskId(at),
    task_type: 'create_vm',
    state: hasEnded ? 'FINISHED' : 'RUNNING',
    created_resources: hasEnded ? { instances: [idOf('bbb', at)] } : null,
    data: { name: 'web' },
  };
}

function toInstance(at: number) {
  const value = at === OWN ? CROWD.marker : 'default/provision-instance/default/other';
  return {
    id: idOf('bbb', at),
    name: 'web',
    status: 'ACTIVE',
    tags: [{ key: 'workflow-request', value }],
  };
}

const NONE = { count: 0, results: [] };

/** An API on which many runs make instances of the same name. */
export const crowdedTasks = answerOf(({ url }) => {
  const { pathname, searchParams } = new URL(url);
  const [, , , , , , id] = pathname.split('/');
  if (id !== undefined) return toInstance(Number(id.slice(-12)));
  if (searchParams.get('task_type') === TaskType.createBasicVm) return NONE;
  const total = pathname.endsWith('/tasks') ? TASKS : LISTED;
  const offset = Number(searchParams.get('offset'));
  const shown = Math.min(total - offset, 1_000);
  const toRow = pathname.endsWith('/tasks') ? toTask : toInstance;
  const results = Array.from({ length: shown }, (_, at): unknown => toRow(offset + at));
  return { count: total, results };
});
