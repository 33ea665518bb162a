import type { Plan } from '../../src/contract/index.js';

/**
 * The calls of a plan that change something. A call that is sent several times appears as often.
 * Replaces the `unknown` part of a path, which only the run knows, with `to`.
 */
export function plannedWrites({ calls }: Plan, unknown: RegExp, to: string): string[] {
  return calls
    .filter(({ method }) => method !== 'GET')
    .flatMap(({ method, path, times = 1 }) =>
      Array.from({ length: times }, () => `${method} ${path.replace(unknown, to)}`),
    );
}
