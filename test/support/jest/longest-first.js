import Sequencer from '@jest/test-sequencer';

/**
 * Each of these files runs for half a minute or more beside others. A long file that starts last would run alone at
 * the end, so these files start first. The others keep jest's own order.
 */
const LONG_FILES = [
  'simulation/failed-seeds',
  'simulation/world/search',
  'worker/election',
  'workflows/protect-ip/long-hold',
  'workflows/provision-instance/removal',
  'secrets/canary-scan',
  'steps/steps',
  'workflows/provision-instance/busy',
  'workflows/provision-instance/waiting',
  'faults/poisoned-neighbours',
  'workflows/grant-sftp-access/grant-sftp-access-restarted',
  'engine/turns/turns',
  'faults/paused-while-away',
  'examples/callers',
  'faults/frozen-worker',
  'faults/named-faults',
  'faults/fault-matrix',
  'cli/commands/dev',
  'gateway/pages/looks',
  'engine/steps/change-step',
  'gateway/prices',
  'engine/wait/unwatched',
  'workflows/grant-sftp-access/grant-sftp-access-racing',
  'engine/plan/bad-inputs',
  'workflows/protect-ip/protect-ip-reset',
  'faults/ownership',
  'examples/typed-clients',
  'workflows/provision-instance/reset',
  'faults/failing-reads',
  'workflows/modify-kv-store/modify-kv-store-failing',
  'secrets/encrypted-runs',
  'faults/killed-worker',
  'examples/examples',
  'faults/killed-in-bulk',
  'worker/health/readiness',
  'workflows/grant-sftp-access/grant-sftp-access',
  'worker/accounts',
  'workflows/import-videos/import-videos-operated',
  'workflows/provision-instance/failed-task',
  'workflows/provision-instance/contradiction',
  'workflows/protect-ip/plan/plan-protect-ip',
  'worker/main',
  'faults/withdrawn-call',
  'workflows/protect-ip/protect-ip-namesake',
  'gateway/pages/pages',
  'faults/outage',
  'packaging/client-package',
  'examples/dev-examples',
  'faults/patient-client',
  'workflows/provision-instance/pause',
  'workflows/provision-instance/removal-moved',
  'workflows/import-videos/import-videos-histories',
  'cli/commands/operate',
  'client/protect-ip',
  'workflows/provision-instance/lost-answers',
  'faults/temporal-away',
  'print-shop/print-order',
  'bench/plain-provision',
  'faults/slow-api',
  'client/clear-secrets',
  'workflows/provision-instance/cancellation',
  'workflows/import-videos/import-videos-unlisted',
  'workflows/delete-instance/delete-instance-failing',
  'workflows/protect-ip/protect-ip-failing',
  'workflows/delete-instance/delete-instance-disturbed',
  'workflows/protect-ip/protect-ip-ownership',
  'client/run-updates',
  'workflows/grant-sftp-access/grant-sftp-access-reset',
  'workflows/provision-instance/restarted',
  'client/who-asked',
  'engine/run/newer-version',
  'workflows/grant-sftp-access/grant-sftp-access-failing',
  'workflows/provision-instance/ownership',
  'workflows/provision-instance/plan/plan-provision-instance',
  'engine/turns/reset-in-turn',
  'workflows/import-videos/import-videos-lost',
  'engine/wait/bounded-histories',
  'workflows/import-videos/import-videos-stored',
  'engine/run/pinned-runs',
  'gateway/events',
  'workflows/provision-instance/lost-and-failed',
  'engine/http/send-in-turn',
  'secrets/seen-from-outside',
  'faults/stale-time',
  'client/start-way',
  'engine/run/notifier',
  'engine/webhooks/deliver-webhooks',
  'workflows/provision-instance/provision-protected',
  'client/retry-run',
];

/**
 * What an older Node runs in the gate: the parts of the product that stand on the platform (processes, streams, servers, modules,
 * pipes), each once on one of them. The newest Node, which takes half as long, runs all others.
 */
const ON_OLDER_NODES = [
  [
    'worker/main',
    'packaging/client-package',
    'cli/output-streams',
    'cli/watch/follow',
    'cli/launcher',
    'client/past-proxies',
    'faults/reconnect',
    'gateway/security',
    'gateway/serve-gateway',
    'replay/traced-histories',
    'worker/bundle-record',
    'worker/log',
  ],
  [
    'packaging/installed-package',
    'cli/commands/import',
    'cli/loaded-modules',
    'cli/with-run',
    'client/long-history',
    'dev/temporal-server',
    'engine/run/pinned-runs',
    'faults/patient-client',
    'gateway/pages/list-page',
    'gateway/limits',
    'worker/mixed-encryption',
    'worker/nexus/operation-handler',
  ],
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }

  /** The last shard has all that no other one has. */
  shard(tests, { shardIndex }) {
    const own = ON_OLDER_NODES[shardIndex - 1];
    if (own === undefined) return tests.filter((test) => !ON_OLDER_NODES.flat().some(isIn(test)));
    const lost = own.filter((name) => !tests.some((test) => isIn(test)(name)));
    if (lost.length > 0) throw new Error(`no such test files: ${lost.join(', ')}`);
    return tests.filter((test) => own.some(isIn(test)));
  }
}

function isIn({ path }) {
  const file = path.replace(/(?:\.server|\.sim)?\.test\.ts$/, '');
  return (name) => file.endsWith(`/test/${name}`);
}

function rank(test) {
  const index = LONG_FILES.findIndex(isIn(test));
  return index === -1 ? LONG_FILES.length : index;
}
