import { Worker, type CompiledWorkerOptions } from '@temporalio/worker';

interface Creator {
  createWorkflow: (options: unknown) => Promise<unknown>;
}

/**
 * Makes the workers of this process read each bundle once. Each new worker would read it for itself, which takes most of the
 * processor time of all scripts. The SDK has no option for this.
 */
export function shareSandboxes(): void {
  shareResults('getOrCreateBundle', ([options]) => pathOf(options));
  shareResults('createWorkflowCreator', ([bundle, options]) =>
    JSON.stringify([fileOf(bundle), activitiesOf(options)]),
  );
}

/** Gives what a static method of the SDK has given before for the same key. */
function shareResults(name: string, keyOf: (args: readonly unknown[]) => string): void {
  const method: unknown = Reflect.get(Worker, name);
  if (typeof method !== 'function') throw new TypeError('this SDK makes its sandboxes otherwise');
  const results = new Map<string, Promise<unknown>>();
  const shared = (...args: unknown[]): Promise<unknown> => {
    const key = keyOf(args);
    const known = results.get(key) ?? Promise.resolve<unknown>(Reflect.apply(method, Worker, args));
    results.set(key, known);
    return known.then((result) => (isCreator(result) ? withoutDestroy(result) : result));
  };
  Object.defineProperty(Worker, name, { value: shared });
}

/** Other workers still use it. */
function withoutDestroy(creator: Creator): Creator & { destroy: () => Promise<void> } {
  return {
    createWorkflow: (options) => creator.createWorkflow(options),
    destroy: () => Promise.resolve(),
  };
}

function isCreator(value: unknown): value is Creator {
  return typeof value === 'object' && value !== null && 'createWorkflow' in value;
}

function isOptions(value: unknown): value is CompiledWorkerOptions {
  return typeof value === 'object' && value !== null && 'workflowBundle' in value;
}

function pathOf(options: unknown): string {
  const bundle = isOptions(options) ? options.workflowBundle : undefined;
  return bundle !== undefined && 'codePath' in bundle ? bundle.codePath : '';
}

function fileOf(bundle: unknown): string {
  const isBundle = typeof bundle === 'object' && bundle !== null && 'filename' in bundle;
  return isBundle ? String(bundle.filename) : '';
}

/** A sandbox knows which local activities there are. */
function activitiesOf(options: unknown): string[] {
  return isOptions(options) ? [...options.activities.keys()].sort() : [];
}
