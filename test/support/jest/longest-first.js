import Sequencer from '@jest/test-sequencer';

/**
 * Each of these files runs for half a minute or more. A long file that starts last would run alone at
 * the end, so these files start first. The others keep jest's own order.
 */
const LONG_FILES = [
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
  const index = LONG_FILES.findIndex((name) => path.endsWith(`/${name}.server.test.ts`));
  return index === -1 ? LONG_FILES.length : index;
}
