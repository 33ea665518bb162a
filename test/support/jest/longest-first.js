import Sequencer from '@jest/test-sequencer';

/**
 * These run for 40 seconds and more, one test after the other. Whoever starts last is waited for
 * alone, so they start first; the others in jest's own order.
 */
const LONGEST = [
  'faults/fault-matrix',
  'steps/steps',
  'workflows/import-videos/import-videos-operated',
  'workflows/engine/turns/turns',
  'workflows/provision-instance/waiting',
  'faults/killed-worker',
  'examples/examples',
  'workflows/import-videos/import-videos',
  'workflows/protect-ip/protect-ip-failing',
  'faults/modify-kv-store',
  'faults/import-videos',
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
}

function rank({ path }) {
  const index = LONGEST.findIndex((name) => path.endsWith(`/${name}.server.test.ts`));
  return index === -1 ? LONGEST.length : index;
}
