/** A workflow of another team, in a namespace of its own. It knows the contract, and no key of the API. */
import { createNexusServiceClient } from '@temporalio/workflow';
import type { ProvisionInstanceInput } from 'gcore-workflows/contract';
import { gcoreWorkflowsService } from 'gcore-workflows/contract/nexus';

export async function orderServer(
  requestId: string,
  input: ProvisionInstanceInput,
  endpoint = 'gcore-workflows',
): Promise<string> {
  const gcore = createNexusServiceClient({ service: gcoreWorkflowsService, endpoint });
  const { instanceId } = await gcore.executeOperation('provisionInstance', { requestId, input });
  return instanceId;
}
