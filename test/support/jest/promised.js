/**
 * The tests of `npm test`: all without a server, and with one those that prove each promise once.
 * Names are paths below `test`, without `.server.test.ts`.
 */
export const PROMISED = [
  // A lost answer makes nothing twice, as a plain activity does.
  'workflows/provision-instance/lost-answers',
  'bench/naive',
  // A killed worker, an outage of the API and one of Temporal fail no run.
  'faults/killed-worker',
  'faults/outage',
  'faults/temporal-away',
  // A cancelled run leaves nothing.
  'workflows/provision-instance/cancellation',
  // A request that is repeated joins its run; the README's other ways to start one work too.
  'client/gcore-workflows',
  'examples/examples',
  'cli/commands/provision',
  // A run says what exists, and a plan what it would do.
  'client/explain/explain-run',
  'workflows/engine/plan/plans',
  // Every history replays.
  'replay/replay-all',
];

/** Each operation's main way: `workflows/<operation>/<operation>.server.test.ts`. */
const MAIN_WAY = /\/test\/workflows\/([^/]+)\/\1\.server\.test\.ts$/;

export function isPromised(path) {
  const isServerTest = path.endsWith('.server.test.ts');
  if (!isServerTest || MAIN_WAY.test(path)) return true;
  return PROMISED.some((name) => path.endsWith(`/test/${name}.server.test.ts`));
}

/** A filter of jest, for `npm test`. */
function promised(paths) {
  return { filtered: paths.filter(isPromised) };
}

// Jest loads its filters with require, and calls what that returns.
export { promised as default, promised as 'module.exports' };
