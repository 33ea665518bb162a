import Sequencer from '@jest/test-sequencer';

/**
 * These run for half a minute and more, one test after the other. Whoever starts last is waited for
 * alone, so they start first; the others in jest's own order.
 */
const LONGEST = [
  'faults/fault-matrix',
  'workflows/provision-instance/waiting',
  'steps/steps',
  'faults/killed-worker',
  'workflows/engine/turns/turns',
  'workflows/import-videos/import-videos-operated',
  'faults/patient-client',
  'examples/examples',
  'faults/outage',
  'faults/modify-kv-store',
  'faults/import-videos',
  'worker/main',
  'faults/temporal-away',
  'cli/commands/dev',
  'workflows/grant-sftp-access/grant-sftp-access-racing',
  'workflows/provision-instance/lost-answers',
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
