import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode, DefaultLogger, type BundleOptions } from '@temporalio/worker';

import { joinModules } from './join-modules.js';
import { ENCODES_FAILURES } from '../codec/sandbox-failures.js';
import { withoutStacks } from './without-stacks.js';
import { BundlePart, type BundleVariant } from './workflow-bundle.js';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.js', import.meta.url));
const INTERCEPTORS = fileURLToPath(new URL('../workflows/interceptors.js', import.meta.url));
const FAILURES = fileURLToPath(new URL('../codec/sandbox-failures.js', import.meta.url));
/** On the first line of the code, so that its source map still fits. */
const ENCODING = `globalThis.${ENCODES_FAILURES}=true;`;
const OWN_CODE = ['bundle-workflows.js', 'join-modules.js', 'without-stacks.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

type Configure = NonNullable<BundleOptions['webpackConfigHook']>;

/**
 * Writes these variants of the bundle.
 *
 * @returns Paths of what was read, by webpack and as its code, and of what was written.
 */
export async function bundleWorkflows(
  variants: readonly BundleVariant[],
): Promise<{ inputs: string[]; outputs: string[] }> {
  const read = new Set<string>();
  const code = await bundle(read);
  const small = withoutStacks(code);
  for (const { path, parts } of variants) {
    const start = parts.includes(BundlePart.encrypted) ? ENCODING : '';
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${start}${parts.includes(BundlePart.stacks) ? code : small}`);
  }
  return { inputs: [...read, ...loadedCode()], outputs: variants.map(({ path }) => path) };
}

async function bundle(read: Set<string>): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [INTERCEPTORS],
    failureConverterPath: FAILURES,
    // Otherwise each run would evaluate and keep 200 modules of its own. See docs/decisions/0044.
    preloadModules: [WORKFLOWS, INTERCEPTORS, FAILURES],
    webpackConfigHook: (config) => noteFiles(joinModules(config), read),
    logger: new DefaultLogger('WARN'),
  });
  return code;
}

/** Notes what webpack reads, and where it looks and finds nothing. */
function noteFiles(config: ReturnType<Configure>, read: Set<string>): ReturnType<Configure> {
  const note: NonNullable<typeof config.plugins>[number] = (compiler) => {
    compiler.hooks.afterCompile.tap('NoteFiles', ({ fileDependencies, missingDependencies }) => {
      for (const path of [...fileDependencies, ...missingDependencies]) read.add(path);
    });
  };
  return { ...config, plugins: [...(config.plugins ?? []), note] };
}

/** The files of all packages that this process has loaded, native ones too, and the code of the build itself. */
function loadedCode(): string[] {
  return [...Object.keys(createRequire(import.meta.url).cache), ...OWN_CODE];
}
