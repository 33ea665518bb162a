import Sequencer from '@jest/test-sequencer';

/**
 * Each of these files runs for half a minute or more beside others. A long file that starts last would run alone at
 * the end, so these files start first. The others keep jest's own order.
 */
const LONG_FILES = [
  'worker/election',
  'faults/fault-matrix',
  'workflows/protect-ip/long-hold',
  'steps/steps',
  'workflows/provision-instance/removal',
  'faults/frozen-worker',
  'workflows/engine/wait/unwatched',
  'workflows/provision-instance/waiting',
  'faults/ownership',
  'workflows/engine/turns/turns',
  'examples/examples',
  'packaging/client-package',
  'examples/callers',
  'workflows/provision-instance/busy',
  'secrets/canary-scan',
  'worker/accounts',
  'secrets/encrypted-runs',
  'faults/killed-worker',
  'faults/named-faults',
  'workflows/grant-sftp-access/grant-sftp-access-restarted',
  'workflows/protect-ip/protect-ip-reset',
  'cli/commands/dev',
  'gateway/pages/pages',
  'gateway/pages/looks',
  'gateway/pages/foreign-sites',
  'workflows/provision-instance/reset',
  'workflows/grant-sftp-access/grant-sftp-access-racing',
  'faults/patient-client',
  'faults/outage',
  'faults/withdrawn-call',
  'worker/main',
  'faults/import-videos',
  'workflows/modify-kv-store/modify-kv-store-failing',
  'faults/temporal-away',
  'workflows/grant-sftp-access/grant-sftp-access',
  'workflows/provision-instance/pause',
  'workflows/provision-instance/lost-answers',
  'workflows/provision-instance/cancellation',
  'replay/stored-histories',
  'workflows/import-videos/import-videos-operated',
  'faults/slow-api',
  'bench/plain-provision',
  'workflows/protect-ip/protect-ip-failing',
  'activities/http/send-in-turn',
  'workflows/protect-ip/plan/plan-protect-ip',
  'workflows/engine/plan/bad-inputs',
  'workflows/provision-instance/failed-task',
  'workflows/engine/turns/outliving-lock',
  'workflows/delete-instance/delete-instance-disturbed',
  'client/protect-ip',
  'faults/failing-reads',
  'workflows/provision-instance/contradiction',
  'workflows/protect-ip/protect-ip-ownership',
  'workflows/provision-instance/restarted',
  'activities/http/time-limit',
  'dev/temporal-server',
  'workflows/import-videos/import-videos',
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }

  /** Deals the files out one by one, so that each shard has its share of the long ones. */
  shard(tests, { shardIndex, shardCount }) {
    const dealt = [...tests].sort(
      (one, other) => rank(one) - rank(other) || one.path.localeCompare(other.path),
    );
    return dealt.filter((_, index) => index % shardCount === shardIndex - 1);
  }
}

function rank({ path }) {
  const index = LONG_FILES.findIndex(
    (name) => path.endsWith(`/${name}.test.ts`) || path.endsWith(`/${name}.server.test.ts`),
  );
  return index === -1 ? LONG_FILES.length : index;
}
