import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode, DefaultLogger, type BundleOptions } from '@temporalio/worker';

import { joinModules } from './join-modules.js';
import { withoutStacks } from './without-stacks.js';
import type { BundleVariant } from './workflow-bundle.js';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.js', import.meta.url));
const INTERCEPTORS = fileURLToPath(new URL('../workflows/interceptors.js', import.meta.url));
const OWN_CODE = ['bundle-workflows.js', 'join-modules.js', 'without-stacks.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

type Configure = NonNullable<BundleOptions['webpackConfigHook']>;

/**
 * Writes variants of one bundle. @returns Paths of what was read, by webpack and as its code, and of what was written.
 */
export async function bundleWorkflows(
  variants: readonly BundleVariant[],
): Promise<{ inputs: string[]; outputs: string[] }> {
  const read = new Set<string>();
  const [{ options } = { options: {} }] = variants;
  const code = await bundle(options, read);
  for (const { path, stacks } of variants) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, stacks ? code : withoutStacks(code));
  }
  return { inputs: [...read, ...loadedCode()], outputs: variants.map(({ path }) => path) };
}

async function bundle(options: BundleVariant['options'], read: Set<string>): Promise<string> {
  const { workflowInterceptorModules = [], failureConverterPath } = options;
  const converters = failureConverterPath === undefined ? [] : [failureConverterPath];
  const { code } = await bundleWorkflowCode({
    ...options,
    workflowsPath: WORKFLOWS,
    workflowInterceptorModules: [INTERCEPTORS, ...workflowInterceptorModules],
    // Otherwise each run would evaluate and keep 200 modules of its own. See docs/decisions/0044.
    preloadModules: [WORKFLOWS, INTERCEPTORS, ...converters],
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
