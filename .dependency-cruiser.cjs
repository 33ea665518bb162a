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
          'bench/soak/report-memory\\.ts$',
          'test/support/gateway/report-usage\\.js$',
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
      from: { path: '^src/contract', pathNot: '^src/contract/(messages|nexus)' },
      to: {
        path: 'node_modules',
        pathNot: thirdParty(['zod', '@temporalio/common', 'ms', 'jsonc-parser']),
      },
    },
    {
      name: 'workflows-take-values-only-from-zod-free-contract-files',
      severity: 'error',
      from: { path: '^src/workflows' },
      to: {
        path: '^src',
        pathNot: [
          '^src/workflows',
          '^src/contract/(names|asked|identity|messages|api/paths|clock-skew|failures|fault-finding|number-ranges|kv-totals|status|poll-delay|parse-duration|iso-of|maker|same-value|all-of-others|canonical-json|latest-of|one-line|quote-word|plural|task-state|task-type|task-error|first-that-fit|secret-ref|cut-text|byte-length|metric|workflow-metrics|trace-span|webhook-events|webhook-event-types|webhook-remarks|prepared/known-fields|guards/guard|guards/message-guards)\\.ts$',
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
      name: 'only-http-imports-ky',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/activities/http' },
      to: { path: thirdParty(['ky']) },
    },
    {
      name: 'client-imports-contract-only',
      severity: 'error',
      from: { path: '^src/client' },
      to: { path: '^src', pathNot: ['^src/client', '^src/contract', '^src/codec', '^src/files'] },
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
      name: 'codec-imports-contract-and-files-only',
      severity: 'error',
      from: { path: '^src/codec' },
      to: { path: '^src', pathNot: ['^src/codec', '^src/contract', '^src/files'] },
    },
    {
      name: 'codec-third-party',
      severity: 'error',
      from: { path: '^src/codec' },
      to: {
        path: 'node_modules',
        pathNot: thirdParty(['zod', '@temporalio/common', '@temporalio/proto']),
      },
    },
    {
      name: 'files-import-only-the-decoder',
      severity: 'error',
      from: { path: '^src/files' },
      to: {
        path: ['^src', 'node_modules'],
        pathNot: ['^src/files', '^src/contract/decode-text\\.ts$'],
      },
    },
    {
      name: 'simulator-imports-contract-only',
      severity: 'error',
      from: { path: '^src/simulator' },
      to: { path: '^src', pathNot: ['^src/simulator', '^src/contract'] },
    },
    {
      name: 'the-nexus-contract-is-free-of-zod',
      severity: 'error',
      from: { path: '^src/contract/nexus' },
      to: {
        path: ['^src', 'node_modules'],
        pathNot: thirdParty(['nexus-rpc']),
        ...ALLOW_TYPE_IMPORTS,
      },
    },
    {
      name: 'the-nexus-edge-starts-runs-like-the-client',
      severity: 'error',
      from: { path: '^src/worker/nexus' },
      to: { path: '^src/(simulator|cli|dev)/' },
    },
    {
      name: 'worker-does-not-import-surfaces',
      severity: 'error',
      from: { path: '^src/worker', pathNot: '^src/worker/nexus' },
      to: { path: '^src/(client|simulator|cli|dev|gateway)' },
    },
    {
      name: 'gateway-imports-contract-and-client-only',
      severity: 'error',
      from: { path: '^src/gateway' },
      to: {
        path: '^src',
        pathNot: [
          '^src/gateway',
          '^src/contract',
          '^src/client',
          '^src/codec',
          '^src/files',
          '^src/observe',
          '^src/tokens',
        ],
      },
    },
    {
      name: 'tokens-import-contract-only',
      severity: 'error',
      comment: 'The command line makes tokens, also where the gateway is not installed.',
      from: { path: '^src/tokens' },
      to: { path: '^src', pathNot: ['^src/tokens', '^src/contract'] },
    },
    {
      name: 'gateway-third-party',
      severity: 'error',
      from: { path: '^src/gateway' },
      to: {
        path: 'node_modules',
        pathNot: thirdParty([
          'hono',
          '@hono/node-server',
          '@hono/zod-openapi',
          'zod',
          'jsonc-parser',
          'rate-limiter-flexible',
          'prom-client',
          '@temporalio/common',
        ]),
      },
    },
    {
      name: 'observe-imports-contract-only',
      comment: 'Logs, health and traces of every process: worker, gateway and command line.',
      severity: 'error',
      from: { path: '^src/observe' },
      to: { path: '^src', pathNot: ['^src/observe', '^src/contract'] },
    },
    {
      name: 'only-the-cli-imports-the-gateway',
      severity: 'error',
      from: { path: '^src', pathNot: ['^src/gateway', '^src/cli'] },
      to: { path: '^src/gateway' },
    },
    {
      name: 'only-config-reads-the-environment',
      comment: 'eslint bans process.env. This rule keeps config.ts out of the libraries.',
      severity: 'error',
      from: { path: '^src/(contract|codec|files|workflows|activities|client|simulator|gateway)' },
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
