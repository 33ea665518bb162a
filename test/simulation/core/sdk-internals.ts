import nodeAsyncHooks from 'node:async_hooks';

import bridge from '@temporalio/core-bridge';
import { Runtime, Worker } from '@temporalio/worker';
import reusableVm from '@temporalio/worker/lib/workflow/reusable-vm.js';

/** The SDK takes its classes from here when it makes objects of them. */
export const asyncHooks: object = nodeAsyncHooks;

/** What the SDK calls of Rust. It may be replaced: the SDK looks each function up when it calls it. */
export const { native: nativeFunctions, errors: bridgeErrors } = bridge;

export const { ReusableVMWorkflowCreator } = reusableVm;
export { Runtime, Worker };
