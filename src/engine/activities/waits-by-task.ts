/** What waits for tasks, found by the id of the task: of many thousands only a few are asked for at a time. */
export interface WaitsByTask<W> extends Iterable<W> {
  readonly size: number;
  add(wait: W): void;
  delete(wait: W): void;
  has(wait: W): boolean;
  /** All that wait for this task, as they are now. */
  of(taskId: string): readonly W[];
  taskIds(): string[];
}

export function createWaitsByTask<W extends { taskId: string }>(): WaitsByTask<W> {
  const all = new Set<W>();
  const byTask = new Map<string, Set<W>>();
  return {
    get size() {
      return all.size;
    },
    [Symbol.iterator]: () => all.values(),
    add(wait) {
      const waits = byTask.get(wait.taskId) ?? new Set<W>();
      byTask.set(wait.taskId, waits.add(wait));
      all.add(wait);
    },
    delete(wait) {
      all.delete(wait);
      const waits = byTask.get(wait.taskId);
      waits?.delete(wait);
      if (waits?.size === 0) byTask.delete(wait.taskId);
    },
    has: (wait) => all.has(wait),
    of: (taskId) => [...(byTask.get(taskId) ?? [])],
    taskIds: () => [...byTask.keys()],
  };
}
