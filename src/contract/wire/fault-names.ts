/** Faults of the simulated API that need no TypeScript: a path of it and `--fault` start them by their names. */
export const FaultName = {
  lostCreate: 'lost-create',
  taskError: 'task-error',
  slowTask: 'slow-task',
  quota: 'quota',
  rateLimit: 'rate-limit',
  outage: 'outage',
  keyRevoked: 'key-revoked',
} as const;
export type FaultName = (typeof FaultName)[keyof typeof FaultName];

const NAMES: ReadonlySet<string> = new Set(Object.values(FaultName));

export function isFaultName(name: string): name is FaultName {
  return NAMES.has(name);
}

/** For a name that is none. */
export function unknownFault(name: string): string {
  return `There is no fault "${name}". Faults: ${Object.values(FaultName).join(', ')}`;
}
