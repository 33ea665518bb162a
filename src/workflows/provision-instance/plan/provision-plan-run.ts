import type { PreparedProvisionInstance } from '../../../contract/wire/prepared/provision-instance.js';
import type { ProvisionInstanceInput } from '../../../contract/operations/provision-instance.js';
import type { PlanRun } from '../../gcore.js';

/** What the parts of this plan are made with. */
export type ProvisionPlanRun = PlanRun<PreparedProvisionInstance, ProvisionInstanceInput>;
