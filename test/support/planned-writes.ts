import type { Plan } from '../../src/contract/index.js';

/** The calls of a plan that change something; what only the run knows is `to`. */
export function plannedWrites({ calls }: Plan, unknown: RegExp, to: string): string[] {
  return calls
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace(unknown, to)}`);
}
