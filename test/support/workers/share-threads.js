import { Worker } from '@temporalio/worker';

/**
 * Makes all workers of this process that have the same bundle share one workflow thread. Each new
 * thread reads the bundle, which takes half a second of processor time. Many tests need less than
 * that for all their runs. The SDK has no option for this.
 */
export function shareThreads() {
  const createCreator = Worker.createWorkflowCreator;
  const readBundle = Worker.getOrCreateBundle;
  if (createCreator === undefined || readBundle === undefined) {
    throw new Error('this version of the SDK starts its threads in another way');
  }
  const creators = new Map();
  Worker.createWorkflowCreator = async (bundle, ...others) => {
    const { filename } = bundle;
    if (!creators.has(filename)) {
      creators.set(filename, createCreator.call(Worker, bundle, ...others));
    }
    const creator = await creators.get(filename);
    return {
      createWorkflow: (options) => creator.createWorkflow(options),
      // The other workers still use the thread.
      destroy: () => Promise.resolve(),
    };
  };

  const bundles = new Map();
  Worker.getOrCreateBundle = (options, logger) => {
    const codePath = options.workflowBundle?.codePath;
    if (codePath === undefined) return readBundle.call(Worker, options, logger);
    if (!bundles.has(codePath)) bundles.set(codePath, readBundle.call(Worker, options, logger));
    return bundles.get(codePath);
  };
}
