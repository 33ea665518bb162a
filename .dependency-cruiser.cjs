/**
 * The import table of docs/architecture.md as rules. A rule also checks `type` imports, unless it
 * uses ALLOW_TYPE_IMPORTS.
 */
const ALLOW_TYPE_IMPORTS = { dependencyTypesNot: ['type-only'] };
/** What runs in the sandbox of workflows. */
const WORKFLOW_CODE =
  '^src/(workflows/|engine/((run|send|wait|turns|plan|webhooks|steps)/|create-engine\\.ts))';
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
          'bench/report-memory\\.ts$',
          'test/gateway/report-usage\\.js$',
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
      name: 'the-engine-knows-no-product',
      comment:
        'What it needs of one is handed in: see engine/core/product.ts and engine/http/api-description.ts.',
      severity: 'error',
      from: { path: '^src/engine' },
      to: { path: '^src', pathNot: '^src/engine' },
    },
    {
      name: 'the-print-shop-shares-the-engine-only',
      comment:
        'It proves that the engine serves another API: nothing of Gcore helps, by no detour.',
      severity: 'error',
      from: { path: '^test/print-shop' },
      to: { path: '^src/(?!engine/)', reachable: true },
    },
    {
      name: 'contract-imports-the-engine-only',
      severity: 'error',
      from: { path: '^src/contract' },
      to: { path: '^src', pathNot: ['^src/contract', '^src/engine/(core|schema)'] },
    },
    {
      name: 'contract-third-party',
      severity: 'error',
      from: { path: '^src/contract', pathNot: '^src/contract/(nexus|wire/)' },
      to: {
        path: 'node_modules',
        pathNot: thirdParty(['zod', '@temporalio/common', 'jsonc-parser']),
      },
    },
    {
      name: 'zod-free-rooms',
      comment:
        'Workflow code takes values of these: zod in the bundle costs 15 to 48 times the memory.',
      severity: 'error',
      from: { path: '^src/(engine/core|contract/wire)/' },
      to: {
        path: ['^src', 'node_modules'],
        pathNot: ['^src/(engine/core|contract/wire)/', thirdParty(['@temporalio/workflow'])],
        ...ALLOW_TYPE_IMPORTS,
      },
    },
    {
      name: 'workflow-code-takes-values-of-zod-free-rooms-only',
      severity: 'error',
      from: { path: WORKFLOW_CODE },
      to: {
        path: '^src',
        pathNot: [WORKFLOW_CODE, '^src/(engine/core|contract/wire)/'],
        ...ALLOW_TYPE_IMPORTS,
      },
    },
    {
      name: 'workflow-code-third-party',
      severity: 'error',
      from: { path: WORKFLOW_CODE },
      to: {
        path: 'node_modules',
        pathNot: thirdParty(['@temporalio/workflow', '@temporalio/common']),
        ...ALLOW_TYPE_IMPORTS,
      },
    },
    {
      name: 'engine-run-is-the-lowest-room',
      severity: 'error',
      from: { path: '^src/engine/run/' },
      to: { path: '^src/engine/(send|turns|wait|plan|webhooks|steps)/' },
    },
    {
      name: 'engine-wait-and-plan-build-on-run',
      severity: 'error',
      from: { path: '^src/engine/(wait|plan)/' },
      to: {
        path: '^src/engine/(send|turns|wait|plan|webhooks|steps)/',
        pathNot: '^src/engine/$1/',
      },
    },
    {
      name: 'engine-send-and-turns-build-on-wait',
      severity: 'error',
      from: { path: '^src/engine/(send|turns)/' },
      to: { path: '^src/engine/(send|turns|plan|webhooks|steps)/', pathNot: '^src/engine/$1/' },
    },
    {
      name: 'shared-workflow-parts-import-the-engine-only',
      severity: 'error',
      from: { path: '^src/workflows/shared/' },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/(shared/|gcore\\.ts$)' },
    },
    {
      name: 'operations-do-not-import-each-other',
      severity: 'error',
      from: {
        path: '^src/workflows/(?!shared|index|gcore)([^/.]+)(/|\\.ts$)',
        // What is done by runs of other operations is planned by them too.
        pathNot: '^src/workflows/replace-instance/plan/',
      },
      to: { path: '^src/workflows/', pathNot: '^src/workflows/((shared|$1)/|gcore\\.ts$)' },
    },
    {
      name: 'activities-import-contract-and-engine-only',
      severity: 'error',
      from: { path: '^src/activities' },
      to: { path: '^src', pathNot: ['^src/activities', '^src/contract', '^src/engine'] },
    },
    {
      name: 'only-http-imports-ky',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/engine/http' },
      to: { path: thirdParty(['ky']) },
    },
    {
      name: 'client-imports-contract-only',
      severity: 'error',
      from: { path: '^src/client' },
      to: {
        path: '^src',
        pathNot: [
          '^src/client',
          '^src/contract',
          '^src/engine/(core|schema)',
          '^src/codec',
          '^src/files',
        ],
      },
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
      to: {
        path: '^src',
        pathNot: ['^src/codec', '^src/contract', '^src/engine/(core|schema)', '^src/files'],
      },
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
        pathNot: ['^src/files', '^src/engine/core/decode-text\\.ts$'],
      },
    },
    {
      name: 'simulator-imports-contract-only',
      severity: 'error',
      from: { path: '^src/simulator' },
      to: {
        path: '^src',
        pathNot: ['^src/simulator', '^src/contract', '^src/engine/(core|schema)'],
      },
    },
    {
      name: 'the-nexus-contract-is-free-of-zod',
      severity: 'error',
      from: { path: '^src/contract/nexus' },
      to: {
        path: ['^src', 'node_modules'],
        pathNot: ['^src/(engine/core|contract/wire)/', thirdParty(['nexus-rpc'])],
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
      from: { path: '^src/worker', pathNot: '^src/worker/(nexus|batch|left-before|asked-before)' },
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
          '^src/engine/(core|schema)',
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
      to: { path: '^src', pathNot: ['^src/tokens', '^src/contract', '^src/engine/(core|schema)'] },
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
          'marked',
          'zod',
          'jsonc-parser',
          'rate-limiter-flexible',
          'p-limit',
          'ipaddr.js',
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
      to: { path: '^src', pathNot: ['^src/observe', '^src/contract', '^src/engine/(core|schema)'] },
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
      from: {
        path: '^src/(contract|codec|engine|files|workflows|activities|client|simulator|gateway)',
      },
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
