import type { RunningStack } from '../../../src/cli/services.js';

/** What `startLocalStack` gives, for a Temporal server that runs already. `closed` counts the calls of `close`. */
export function fakeStack(
  { address, namespace }: { address: string; namespace: string },
  uiUrl: string | undefined = 'http://127.0.0.1:8233',
) {
  let closed = 0;
  const stack: RunningStack = {
    temporal: { connectionOptions: { address }, namespace },
    uiUrl,
    simulatorUrl: 'http://127.0.0.1:9000',
    apiKey: 'simulator-key',
    place: { projectId: 1, regionId: 1 },
    manifestRoot: '/srv/manifests',
    stopAsked: new Promise<void>(() => undefined),
    stopped: new Promise<void>(() => undefined),
    close: () => Promise.resolve(void (closed += 1)),
  };
  return { stack, closed: () => closed };
}
