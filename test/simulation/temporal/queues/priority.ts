import type { Priority } from '../base/proto.js';

const USUAL = 3;

/** 1 comes first. */
export function priorityOf(priority: Priority | null | undefined): number {
  const key = priority?.priorityKey ?? 0;
  return key === 0 ? USUAL : key;
}

/** That of an activity, or what it leaves open from its run. */
export function mergePriority(
  run: Priority | null | undefined,
  own: Priority | null | undefined,
): Priority | undefined {
  const base = run ?? undefined;
  if (own === null || own === undefined) return base;
  const priorityKey = own.priorityKey ?? 0;
  return {
    ...base,
    ...own,
    priorityKey: priorityKey === 0 ? (run?.priorityKey ?? 0) : priorityKey,
  };
}
