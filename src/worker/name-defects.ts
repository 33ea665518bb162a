import type { ActivityInterceptorsFactory } from '@temporalio/worker';

import { isDefect, toDefect } from '../activities/index.js';
import { hasSecretRef } from '../contract/wire/secret-ref.js';

/**
 * Names an error of the code in any activity. Temporal would repeat it without end, while nobody learns why the run does
 * not go on and whose turn it holds.
 */
export const nameDefects: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        throw isDefect(error) ? toDefect(error, input.args, hasSecretRef(input.args)) : error;
      }
    },
  },
});
