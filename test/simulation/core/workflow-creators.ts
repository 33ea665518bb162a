import { readFileSync } from 'node:fs';
import vm from 'node:vm';

import type { CompiledWorkerOptions } from '@temporalio/worker';

import { ReusableVMWorkflowCreator } from './sdk-internals.js';

type Creator = Awaited<ReturnType<typeof ReusableVMWorkflowCreator.create>>;
type Workflow = Awaited<ReturnType<Creator['createWorkflow']>>;
type Bundle = Parameters<typeof ReusableVMWorkflowCreator.create>[0];

const NO_SOURCES = { version: 3, file: '', sources: [], names: [], mappings: '' };

/** Reads each bundle once in an OS process. Workers and seeds share what has been read. */
export class WorkflowCreators {
  readonly #creators = new Map<string, Creator>();

  get({ source, isPath }: BundleSource): Creator {
    const known = this.#creators.get(source);
    if (known !== undefined) return known;
    const code = withoutSourceMap(isPath ? readFileSync(source, 'utf8') : source);
    const creator = createCreator(code, isPath ? source : 'workflow-bundle.js');
    this.#creators.set(source, creator);
    return creator;
  }
}

/**
 * As the SDK creates it, except for what depends on real time: a limit for each activation, which costs a thread each time, and
 * source maps, which only serve stack traces.
 */
function createCreator(code: string, filename: string): Creator {
  const bundle = { code: '', filename, sourceMap: NO_SOURCES };
  const script = new vm.Script(code, { filename });
  const noLimit = undefined;
  const args = [script, bundle, noLimit, new Set<string>()];
  const creator: unknown = Reflect.construct(ReusableVMWorkflowCreator, args);
  if (creator instanceof ReusableVMWorkflowCreator) return creator;
  throw new TypeError('this version of the SDK creates workflows in another way');
}

interface BundleSource {
  source: string;
  isPath: boolean;
}

function withoutSourceMap(code: string): string {
  const at = code.lastIndexOf('//# sourceMappingURL=data:');
  return at === -1 ? code : code.slice(0, at);
}

export interface WorkflowsOfSimulation {
  /** In the place of `Worker.getOrCreateBundle`, which reads the file for each worker and in its own time. */
  getBundle: (options: CompiledWorkerOptions) => Promise<Bundle | undefined>;
  /** In the place of `Worker.createWorkflowCreator`. */
  create: (bundle: Bundle, options: CompiledWorkerOptions) => Promise<object>;
  /** Frees the workflows that nobody has, since their processes were killed. */
  disposeAll(): void;
}

export function workflowsOf(creators: WorkflowCreators): WorkflowsOfSimulation {
  const alive = new Set<Workflow>();
  return {
    getBundle(options) {
      if (options.workflowsPath !== undefined) {
        return Promise.reject(new Error('a simulation needs a bundle of workflows'));
      }
      const bundle = sourceOf(options);
      if (bundle === undefined) return Promise.resolve(undefined);
      const { source } = bundle;
      // The SDK only hashes the code: it gets the name, which is shorter.
      return Promise.resolve({ code: source, filename: source, sourceMap: NO_SOURCES });
    },
    create(_bundle, options) {
      const source = sourceOf(options);
      if (source === undefined) throw new Error('a worker without workflows has no creator');
      const creator = creators.get(source);
      const activityNames = new Set(options.activities.keys());
      return Promise.resolve({
        async createWorkflow(asked: Parameters<Creator['createWorkflow']>[0]) {
          // Workers share the creator, and each one has its activities. It reads their names before anything else runs.
          Reflect.set(creator, 'registeredActivityNames', activityNames);
          const workflow = await creator.createWorkflow(asked);
          alive.add(workflow);
          const dispose = workflow.dispose.bind(workflow);
          workflow.dispose = async () => {
            if (alive.delete(workflow)) await dispose();
          };
          return workflow;
        },
        // Others still use it.
        destroy: () => Promise.resolve(),
      });
    },
    disposeAll() {
      // What it does, it does at once.
      for (const workflow of alive) void workflow.dispose();
    },
  };
}

function sourceOf({ workflowBundle }: CompiledWorkerOptions): BundleSource | undefined {
  if (workflowBundle === undefined) return undefined;
  return 'code' in workflowBundle
    ? { source: workflowBundle.code, isPath: false }
    : { source: workflowBundle.codePath, isPath: true };
}
