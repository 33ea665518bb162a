/**
 * `npm test` runs all unit tests, the main test of each operation, and these tests on a real or a simulated server.
 * Together they prove each promise once. A name is a path below `test`, without `.server.test.ts` or `.sim.test.ts`.
 */
export const PROMISED = [
  // After a lost answer a plain activity creates a duplicate; a run does not.
  'workflows/provision-instance/lost-answers',
  'bench/naive',
  // A killed worker, an outage of the API or an outage of Temporal fails no run.
  'faults/killed-worker',
  'faults/outage',
  'faults/temporal-away',
  // A change that waits rests on no old look, and a pause takes it back.
  'faults/fresh-looks',
  'faults/queued-changes',
  // A run removes only what it made.
  'workflows/provision-instance/ownership',
  // A cancelled run leaves nothing behind.
  'workflows/provision-instance/cancellation',
  // A repeated request joins its run. The README's other ways to start a run work too.
  'client/gcore-workflows',
  'examples/examples',
  'cli/commands/provision',
  // A run says what exists. A plan says what the run would do.
  'client/explain/explain-run',
  'engine/plan/plans',
  // Receivers hear of a run, and hold up no result.
  'engine/webhooks/deliver-webhooks',
  // The search over interleavings finds two machines where a grace time is missing, and repeats what it finds.
  'simulation/world/search',
  // Every history replays, also those of released versions.
  'replay/replay-all',
  'replay/released-histories',
];

/** The main test of an operation: `workflows/<operation>/<operation>`, or without a folder of its own. */
const MAIN_TEST = /\/test\/workflows\/(?:([^/]+)\/\1|[^/]+)$/;

const ON_A_SERVER = /\.(?:server|sim)\.test\.ts$/;

export function isPromised(path) {
  const name = path.replace(ON_A_SERVER, '');
  if (name === path || MAIN_TEST.test(name)) return true;
  return PROMISED.some((each) => name.endsWith(`/test/${each}`));
}
