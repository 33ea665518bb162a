import { Worker } from '@temporalio/worker';

/**
 * From now on the workers of this process that have the same bundle decide in one thread. To start a
 * thread takes half a second of a processor, because it reads the bundle: more than many a test does
 * with it. The SDK has no option for it.
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
      // The others go on.
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
