import { fileURLToPath } from 'node:url';

import type { BundleOptions } from '@temporalio/worker';

import { ENCODED_FAILURES } from '../codec/data-converter.js';

interface BundlePart {
  name: string;
  options: Pick<BundleOptions, 'failureConverterPath' | 'workflowInterceptorModules'>;
  /** The SDK takes a stack trace for each promise of a run: a third of the CPU of a workflow task. */
  stacks?: true;
}

/**
 * What a bundle may have beside the workflows. The workflow sandbox has no environment that could switch it on, so there
 * is a bundle for each combination, and the worker chooses one when it starts.
 */
const PARTS = [
  // The texts of failures become payloads, which the codec encrypts.
  { name: 'encrypted', options: { failureConverterPath: ENCODED_FAILURES } },
  // For the search of a defect. See docs/decisions/0054.
  { name: 'stacks', options: {}, stacks: true },
] as const satisfies readonly BundlePart[];

export type BundlePartName = (typeof PARTS)[number]['name'];

/** Where `npm run build` puts the bundle with these parts. */
export function bundlePath(names: readonly BundlePartName[] = []): string {
  const parts = PARTS.filter(({ name }) => names.includes(name));
  const file = ['workflow-bundle', ...parts.map(({ name }) => name)].join('-');
  return fileURLToPath(new URL(`../${file}.js`, import.meta.url));
}

export interface BundleVariant {
  path: string;
  options: BundlePart['options'];
  stacks: boolean;
}

/** Every combination of parts. */
export function bundleVariants(): BundleVariant[] {
  return combinations(PARTS).map((parts) => ({
    path: bundlePath(parts.map(({ name }) => name)),
    options: parts.reduce<BundlePart['options']>(
      (together, { options }) => withPart(together, options),
      // As with parts: variants with equal options are one run of webpack.
      { workflowInterceptorModules: [] },
    ),
    stacks: parts.some((part: BundlePart) => part.stacks === true),
  }));
}

function withPart(one: BundlePart['options'], other: BundlePart['options']): BundlePart['options'] {
  const modules = [one, other].flatMap(({ workflowInterceptorModules = [] }) => [
    ...workflowInterceptorModules,
  ]);
  return { ...one, ...other, workflowInterceptorModules: modules };
}

function combinations<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
}
