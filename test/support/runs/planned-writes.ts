import type { Plan } from '../../../src/contract/index.js';

/** The calls of a plan that change something, each as often as it is sent; what only the run knows is `to`. */
export function plannedWrites({ calls }: Plan, unknown: RegExp, to: string): string[] {
  return calls
    .filter(({ method }) => method !== 'GET')
    .flatMap(({ method, path, times = 1 }) =>
      Array.from({ length: times }, () => `${method} ${path.replace(unknown, to)}`),
    );
}
