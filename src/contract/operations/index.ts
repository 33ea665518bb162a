import { Operation } from '../names.js';
import {
  provisionInstanceInputSchema,
  provisionInstanceResultSchema,
  type ProvisionInstanceInput,
  type ProvisionInstanceResult,
} from './provision-instance.js';

/** Input and Result of each operation, by its Workflow Type. */
export interface Operations {
  provisionInstance: { input: ProvisionInstanceInput; result: ProvisionInstanceResult };
}

/** The schemas behind `Operations`. */
export const operationSchemas = {
  [Operation.provisionInstance]: {
    input: provisionInstanceInputSchema,
    result: provisionInstanceResultSchema,
  },
} as const;
