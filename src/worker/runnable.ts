import type { Worker } from '@temporalio/worker';

/** What running a worker needs of it. */
export type Runnable = Pick<Worker, 'run' | 'shutdown' | 'getState'> & {
  /** Whether it runs, although its workers do not run at the moment. It can be shut down then too. */
  isRestarting?: () => boolean;
  /** What it polls; missing for a worker that exists only now and then. */
  readonly options?: Pick<Worker['options'], 'taskQueue' | 'identity'> &
    Partial<Pick<Worker['options'], 'workflowBundle'>>;
  /** Its name, and the workers that it consists of at the moment, if it is several in one. */
  readonly title?: string;
  parts?: () => readonly Runnable[];
};
