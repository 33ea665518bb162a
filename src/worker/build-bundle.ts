/**
 * `npm run build`: bundles the workflows, so that a production worker starts without webpack. Leaves a bundle alone when
 * nothing has changed that it was made of. See docs/decisions/0060.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { isUpToDate, keepRecord } from './bundle-record.js';
import { bundleVariants, type BundleVariant } from './workflow-bundle.js';

/** The variants that one run of webpack makes. */
function variantsByOptions(): BundleVariant[][] {
  const groups = new Map<string, BundleVariant[]>();
  for (const variant of bundleVariants()) {
    const key = JSON.stringify(variant.options);
    groups.set(key, [...(groups.get(key) ?? []), variant]);
  }
  return [...groups.values()];
}

function recordOf(at: number): string {
  return fileURLToPath(new URL(`../../.cache/workflow-bundle-${at}.json`, import.meta.url));
}

/** What decides the result, and no file says. */
function settingOf(variants: readonly BundleVariant[]): unknown {
  const { version, platform, arch } = process;
  return [version, platform, arch, variants];
}

async function bundleHere(variants: readonly BundleVariant[], at: number): Promise<void> {
  const startedAt = Date.now();
  const { bundleWorkflows } = await import('./bundle-workflows.js');
  const made = await bundleWorkflows(variants);
  await keepRecord(recordOf(at), { startedAt, setting: settingOf(variants), ...made });
}

/** In a process of its own: webpack uses one processor. No variable of the environment and no flag decides the result. */
async function bundleApart(variants: readonly BundleVariant[], at: number): Promise<void> {
  if (await isUpToDate(recordOf(at), settingOf(variants))) return;
  const child = fork(fileURLToPath(import.meta.url), [String(at)], { env: {}, execArgv: [] });
  const exit: unknown[] = await once(child, 'exit');
  if (exit[0] !== 0) process.exitCode = 1;
}

const [, , only] = process.argv;
await Promise.all(
  variantsByOptions().map(async (variants, at) => {
    if (only === undefined) await bundleApart(variants, at);
    else if (only === String(at)) await bundleHere(variants, at);
  }),
);
