/**
 * The import table of docs/architecture.md as rules. A rule also checks `type` imports, unless it
 * uses ALLOW_TYPE_IMPORTS.
 */
const ALLOW_TYPE_IMPORTS = { dependencyTypesNot: ['type-only'] };
const thirdParty = (names) => `node_modules/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Circles of type imports count too, because a reader follows both kinds.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          'test/.*\\.test\\.ts$',
          'test/support/jest/.*-temporal\\.js$',
          'test/.*\\.d\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'src-does-not-import-test',
      severity: 'error',
      from: { path: '^src' },
      to: { path: '^test' },
    },
    {
      name: 'contract-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/contract' },
      to: { path: '^src', pathNot: '^src/contract' },
    },
    {
      name: 'contract-third-party',
      severity: 'error',
      from: { path: '^src/contract', pathNot: '^src/contract/messages' },
      to: { path: 'node_modules', pathNot: thirdParty(['zod', '@temporalio/common', 'ms']) },
    },
    {
      name: 'workflows-take-values-only-from-zod-free-contract-files',
      severity: 'error',
      from: { path: '^src/workflows' },
      to: {
        path: '^src',
        pathNot: [
          '^src/workflows',
          '^src/contract/(names|messages|api/paths|clock-skew|failures|fault-finding|number-ranges|kv-totals|status|poll-delay|parse-duration|iso-of|maker|canonical-json|latest-of|plural|task-state|task-error|first-that-fit|cut-text)\\.ts$',
        ],
        ...ALLOW_TYPE_IMPORTS,
      },
    },
    {
      name: 'engine-imports-no-operation',
      severity: 'error',
      from: { path: '^src/workflows/engine/' },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/engine/' },
    },
    {
      name: 'engine-run-is-the-lowest-room',
      severity: 'error',
      from: { path: '^src/workflows/engine/run/' },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/engine/run/' },
    },
    {
      name: 'engine-wait-and-plan-build-on-run',
      severity: 'error',
      from: { path: '^src/workflows/engine/(wait|plan)/' },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/engine/(run|$1)/' },
    },
    {
      name: 'engine-send-and-turns-build-on-wait',
      severity: 'error',
      from: { path: '^src/workflows/engine/(send|turns)/' },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/engine/(run|wait|$1)/' },
    },
    {
      name: 'shared-workflow-parts-import-the-engine-only',
      severity: 'error',
      from: { path: '^src/workflows/shared/' },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/(shared|engine)/' },
    },
    {
      name: 'operations-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/workflows/(?!engine|shared)([^/]+)/' },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/(shared|engine|$1)/' },
    },
    {
      name: 'workflows-third-party',
      severity: 'error',
      from: { path: '^src/workflows' },
      to: {
        path: 'node_modules',
        pathNot: thirdParty(['@temporalio/workflow', '@temporalio/common']),
        ...ALLOW_TYPE_IMPORTS,
      },
    },
    {
      name: 'activities-import-contract-only',
      severity: 'error',
      from: { path: '^src/activities' },
      to: { path: '^src', pathNot: ['^src/activities', '^src/contract'] },
    },
    {
      name: 'only-http-imports-ky-and-cockatiel',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/activities/http' },
      to: { path: thirdParty(['ky', 'cockatiel']) },
    },
    {
      name: 'client-imports-contract-only',
      severity: 'error',
      from: { path: '^src/client' },
      to: { path: '^src', pathNot: ['^src/client', '^src/contract'] },
    },
    {
      name: 'client-third-party',
      severity: 'error',
      from: { path: '^src/client' },
      to: {
        path: 'node_modules',
        pathNot: thirdParty([
          '@temporalio/client',
          '@temporalio/common',
          '@temporalio/proto',
          '@temporalio/envconfig',
          'zod',
        ]),
      },
    },
    {
      name: 'simulator-imports-contract-only',
      severity: 'error',
      from: { path: '^src/simulator' },
      to: { path: '^src', pathNot: ['^src/simulator', '^src/contract'] },
    },
    {
      name: 'worker-does-not-import-surfaces',
      severity: 'error',
      from: { path: '^src/worker' },
      to: { path: '^src/(client|simulator|cli|dev)' },
    },
    {
      name: 'only-config-reads-the-environment',
      comment: 'eslint bans process.env. This rule keeps config.ts out of the libraries.',
      severity: 'error',
      from: { path: '^src/(contract|workflows|activities|client|simulator)' },
      to: { path: '^src/config' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
