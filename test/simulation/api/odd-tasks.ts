import { refusalOf, isRow, rowsOf, withRows, type Row } from './api-answer.js';
import type { ApiCall } from './api-call.js';
import type { Changed, JsonAnswer, Odd, OddityOptions } from './oddity.js';

const TASKS = /^(?:\/cloud)?\/v1\/tasks(?:\/|$)/;

function isOfTasks({ method, template }: ApiCall): boolean {
  return method === 'GET' && TASKS.test(template);
}

function tasksOf({ call, json }: JsonAnswer): Row[] {
  return (call.isOfOne ? [json] : (rowsOf(json) ?? [])).filter(isRow);
}

function idOf(task: Row): string {
  return typeof task['id'] === 'string' ? task['id'] : '';
}

/** Tasks that are gone from some moment on, by their ids and from all lists. */
export function vanishingTasks({ chaos }: OddityOptions): Odd {
  const vanished = new Set<string>();
  const isOn = chaos.isOn('task vanishes');
  const vanish = (answer: JsonAnswer): void => {
    const there = tasksOf(answer)
      .map(idOf)
      .filter((id) => !vanished.has(id));
    const draw =
      there.length > 0 ? chaos.strikes('task vanishes', answer.call.occasion) : undefined;
    if (draw !== undefined) vanished.add(draw.pick(there));
  };
  return {
    changes: (call) => isOn && isOfTasks(call),
    change(answer): Changed | undefined {
      const { call, json } = answer;
      vanish(answer);
      const gone = tasksOf(answer).filter((task) => vanished.has(idOf(task)));
      if (gone.length === 0) return undefined;
      const says = 'TASK HAS VANISHED';
      if (call.isOfOne) {
        return { answer: refusalOf(call, 404, `Task ${call.last} is not found`), says };
      }
      const left = (rowsOf(json) ?? []).filter((row) => !gone.some((task) => task === row));
      return { json: withRows(json, left), says };
    },
  };
}

/** Finished tasks that do not say what they have made. */
export function silentTasks({ chaos }: OddityOptions): Odd {
  const isOn = chaos.isOn('task names nothing');
  /** What each task says, by its id: it stays with that. */
  const said = new Map<string, 'all' | 'null' | 'empty lists'>();
  const silence = (call: ApiCall, task: Row): 'all' | 'null' | 'empty lists' => {
    const known = said.get(idOf(task));
    if (known !== undefined) return known;
    const draw = chaos.strikes('task names nothing', call.occasion);
    const drawn = draw?.pick(['null', 'empty lists'] as const) ?? 'all';
    said.set(idOf(task), drawn);
    return drawn;
  };
  return {
    changes: (call) => isOn && isOfTasks(call),
    change(answer): Changed | undefined {
      const named = tasksOf(answer).filter((task) => isRow(task['created_resources']));
      const silent = named.filter((task) => {
        const made = task['created_resources'];
        const how = silence(answer.call, task);
        if (how === 'all' || !isRow(made)) return false;
        task['created_resources'] = how === 'null' ? null : emptied(made);
        return true;
      });
      if (silent.length === 0) return undefined;
      return { json: answer.json, says: 'TASK NAMES NOTHING' };
    },
  };
}

function emptied(made: Row): Row {
  return Object.fromEntries(Object.keys(made).map((kind) => [kind, []]));
}

/** A failed task may name what it has left, although the guide says that it names nothing. */
export function talkingFailures({ chaos, simulator }: OddityOptions): Odd {
  const said = new Map<string, Row | undefined>();
  const leftBy = (id: string): Row | undefined => {
    const state = simulator.snapshot();
    const plan = state.tasks.find((task) => task.id === id)?.plan;
    if (plan === undefined || !('volumeIds' in plan && 'existingVolumeIds' in plan))
      return undefined;
    const volumes = plan.volumeIds.filter((volume) =>
      state.volumes.some((row) => row.id === volume),
    );
    const instances = state.instances.filter((row) => row.id === plan.instanceId);
    const ids = instances.map((row) => row.id);
    return volumes.length + ids.length === 0 ? undefined : { instances: ids, volumes };
  };
  const sayOnce = (id: string): Row | undefined => {
    // Every second one, by its id: the same task says the same each time.
    if (!said.has(id)) said.set(id, id.charCodeAt(0) % 2 === 0 ? leftBy(id) : undefined);
    return said.get(id);
  };
  return {
    changes: (call) => chaos.isOn('task error') && isOfTasks(call),
    change(answer): Changed | undefined {
      const named = tasksOf(answer).filter((task) => {
        const made = task['state'] === 'ERROR' ? sayOnce(idOf(task)) : undefined;
        if (made !== undefined) task['created_resources'] = made;
        return made !== undefined;
      });
      if (named.length === 0) return undefined;
      return { json: answer.json, says: 'FAILED TASK NAMES WHAT IT LEFT' };
    },
  };
}
