import { fileURLToPath } from 'node:url';

/**
 * What a bundle may have beside the workflows. The workflow sandbox has no environment that could switch it on, so there
 * is a bundle for each combination, and the worker chooses one when it starts.
 */
export const BundlePart = {
  /** The texts of failures become payloads, which the codec encrypts. */
  encrypted: 'encrypted',
  /**
   * The SDK takes a stack trace for each promise of a run, which is a third of the CPU of a workflow task. For the search
   * of a defect. See docs/decisions/0054.
   */
  stacks: 'stacks',
} as const;
export type BundlePart = (typeof BundlePart)[keyof typeof BundlePart];

/** Where `npm run build` puts the bundle with these parts. */
export function bundlePath(parts: readonly BundlePart[] = []): string {
  const names = Object.values(BundlePart).filter((part) => parts.includes(part));
  const file = ['workflow-bundle', ...names].join('-');
  return fileURLToPath(new URL(`../${file}.js`, import.meta.url));
}

export interface BundleVariant {
  path: string;
  parts: readonly BundlePart[];
}

/** Every combination of parts. */
export function bundleVariants(): BundleVariant[] {
  return combinations(Object.values(BundlePart)).map((parts) => ({
    path: bundlePath(parts),
    parts,
  }));
}

function combinations<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
}
