/** Bundles a copy of the project within a second, from its sources: to break one line needs no compiler. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';

const MODULES = ['workflows/index', 'workflows/interceptors', 'codec/sandbox-failures'];
const [WORKFLOWS = '', INTERCEPTORS = '', FAILURES = ''] = MODULES.map(
  (name) => `./src/${name}.ts`,
);

/** As the SDK's own bundler begins: it makes an entry of the same members. */
const ENTRY = `
exports.api = require('@temporalio/workflow/lib/worker-interface.js');
require('@temporalio/workflow/lib/global-overrides.js').overrideGlobals();
exports.importWorkflows = () => require('${WORKFLOWS}');
exports.importInterceptors = () => [require('${INTERCEPTORS}')];
exports.preloadModules = () => { exports.importWorkflows(); exports.importInterceptors(); require('${FAILURES}'); };`;

/** Tests with workers of their own take the one with stacks. */
const BUNDLES = ['workflow-bundle.js', 'workflow-bundle-stacks.js'];

/** The SDK wants a map, and looks for nothing in it. */
const NO_MAP = { version: 3, sources: [], names: [], mappings: '' };
const MAP_COMMENT = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(NO_MAP)).toString('base64')}`;

/**
 * Writes the bundles of the workflows. All runs share all modules, as they do in that of `npm run build`; nothing is frozen that
 * a module gives to another one.
 */
export async function bundleWorkflows(copy: string): Promise<void> {
  const overrides = 'node_modules/@temporalio/worker/lib/workflow/module-overrides';
  const own = ['assert', 'url', 'util'].map((name) => [name, join(copy, overrides, `${name}.js`)]);
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: copy },
    absWorkingDir: copy,
    write: false,
    bundle: true,
    format: 'iife',
    globalName: '__TEMPORAL__',
    platform: 'neutral',
    mainFields: ['main'],
    conditions: ['require', 'import', 'default'],
    target: 'es2022',
    minifyWhitespace: true,
    legalComments: 'none',
    alias: {
      ...Object.fromEntries(own),
      __temporal_custom_failure_converter: join(copy, FAILURES),
    },
    // protobufjs asks whether it is there.
    external: ['fs'],
    plugins: [noPayloadConverter],
  });
  const code = `delete Error.stackTraceLimit;\n${outputFiles[0]?.text ?? ''}\n${MAP_COMMENT}`;
  await Promise.all(BUNDLES.map((name) => writeFile(join(copy, 'dist', name), code)));
}

const noPayloadConverter: Plugin = {
  name: 'no-payload-converter',
  setup(copied) {
    copied.onResolve({ filter: /^__temporal_custom_payload_converter$/ }, ({ path }) => ({
      path,
      namespace: 'none',
    }));
    copied.onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Writes the search with all that it loads of the product, and returns its path. */
export async function bundleSearch(copy: string): Promise<string> {
  const outfile = join(copy, '.cache/simulate.mjs');
  await build({
    entryPoints: [join(copy, 'test/simulation/main.ts')],
    absWorkingDir: copy,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    plugins: [keepUrls],
  });
  return outfile;
}

/** What a module reads beside itself is still beside its source. */
const keepUrls: Plugin = {
  name: 'keep-urls',
  setup(copied) {
    copied.onLoad({ filter: /\/(?:src|test)\/.*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      const contents = text.replaceAll('import.meta.url', url);
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};
