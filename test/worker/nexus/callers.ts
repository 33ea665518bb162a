import { createNexusServiceClient } from '@temporalio/workflow';
import { gcoreWorkflowsService } from 'gcore-workflows/contract/nexus';

/** Calls `listSshKeys` with a request that may have any form, as a program without types does. */
export async function listKeys(request: never, endpoint: string): Promise<unknown> {
  const gcore = createNexusServiceClient({ service: gcoreWorkflowsService, endpoint });
  return gcore.executeOperation('listSshKeys', request);
}

export async function provision(request: never, endpoint: string): Promise<unknown> {
  const gcore = createNexusServiceClient({ service: gcoreWorkflowsService, endpoint });
  return gcore.executeOperation('provisionInstance', request);
}

export async function protect(request: never, endpoint: string): Promise<unknown> {
  const gcore = createNexusServiceClient({ service: gcoreWorkflowsService, endpoint });
  return gcore.executeOperation('protectIp', request);
}
