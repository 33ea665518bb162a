/**
 * The tests of `npm test`: all without a server, and with one those that prove each promise once.
 * Names are paths below `test`, without `.server.test.ts`.
 */
export const PROMISED = [
  // One lost answer, and what a plain activity makes of it.
  'workflows/provision-instance/lost-answers',
  'bench/naive',
  // One killed worker, one outage.
  'faults/killed-worker',
  'faults/outage',
  // Cancelled: nothing is left.
  'workflows/provision-instance/cancellation',
  // Starts are repeated, and every history replays.
  'client/gcore-workflows',
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
