import { TaskType } from '../../contract/wire/tasks.js';

/** Tasks that only change rows when they end: shortest and longest seconds at a time scale of 1. */
export const CHANGE_TASK_SECONDS = {
  [TaskType.deleteVolume]: [3, 6],
  [TaskType.deleteFloatingIp]: [3, 6],
} as const;

export const CHANGE_TASKS = Object.keys(CHANGE_TASK_SECONDS).filter(
  (name): name is keyof typeof CHANGE_TASK_SECONDS => name in CHANGE_TASK_SECONDS,
);
