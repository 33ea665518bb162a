import type { temporal } from '@temporalio/proto';

import { IndexedValueType } from '../base/proto.js';
import { namespaceNotFound, notFound } from '../base/grpc-error.js';
import type { Handlers } from '../base/requests.js';
import { toDuration, toLong } from '../base/values.js';
import type { Server } from '../model/server.js';
import { SYSTEM_ATTRIBUTES } from '../visibility/search-attributes.js';
import { countExecutions, listExecutions } from '../visibility/list.js';

type Update = temporal.api.workflowservice.v1.IUpdateNamespaceRequest;
type AddAttributes = temporal.api.operatorservice.v1.IAddSearchAttributesRequest;

const SERVER_VERSION = '1.32.0';
const RETENTION_MS = 24 * 3_600_000;
const BLOB_LIMIT = 2_097_152;

export function namespaceHandlers(server: Server): Handlers {
  const list = (request: temporal.api.workflowservice.v1.IListWorkflowExecutionsRequest) =>
    listExecutions(server, request);
  return {
    GetSystemInfo: () => SYSTEM_INFO,
    GetClusterInfo: () => clusterInfo(server),
    DescribeNamespace: (request: { namespace?: string | null; id?: string | null }) =>
      describe(server, request),
    ListNamespaces: () => ({ namespaces: [description(server)], nextPageToken: new Uint8Array() }),
    UpdateNamespace: (request: Update) => update(server, request),
    ListWorkflowExecutions: list,
    ScanWorkflowExecutions: list,
    CountWorkflowExecutions: (
      request: temporal.api.workflowservice.v1.ICountWorkflowExecutionsRequest,
    ) => countExecutions(server, request),
    DescribeWorkerDeployment: ({ deploymentName }: { deploymentName?: string | null }) => {
      throw notFound(
        `no Worker Deployment found with name '${deploymentName ?? ''}'; does your Worker Deployment have pollers?`,
      );
    },
    DescribeWorkerDeploymentVersion: () => {
      throw notFound('Worker Deployment Version not found');
    },
    ListWorkerDeployments: () => ({ workerDeployments: [], nextPageToken: new Uint8Array() }),
  };
}

export function operatorHandlers(server: Server): Handlers {
  return {
    ListSearchAttributes: () => ({
      customAttributes: valueTypes(server.searchAttributes),
      systemAttributes: valueTypes(SYSTEM_ATTRIBUTES),
      storageSchema: {},
    }),
    AddSearchAttributes: ({ searchAttributes }: AddAttributes) => {
      for (const [name, type] of Object.entries(searchAttributes ?? {})) {
        const text = nameOfType(type);
        if (text !== undefined) server.searchAttributes.set(name, text);
      }
      return {};
    },
    RemoveSearchAttributes: (
      request: temporal.api.operatorservice.v1.IRemoveSearchAttributesRequest,
    ) => {
      for (const name of request.searchAttributes ?? []) server.searchAttributes.delete(name);
      return {};
    },
    ListNexusEndpoints: () => ({ endpoints: [], nextPageToken: new Uint8Array() }),
  };
}

const TYPES: readonly [string, number][] = [
  ['Text', IndexedValueType.INDEXED_VALUE_TYPE_TEXT],
  ['Keyword', IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD],
  ['Int', IndexedValueType.INDEXED_VALUE_TYPE_INT],
  ['Double', IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE],
  ['Bool', IndexedValueType.INDEXED_VALUE_TYPE_BOOL],
  ['Datetime', IndexedValueType.INDEXED_VALUE_TYPE_DATETIME],
  ['KeywordList', IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST],
];
const TYPE_VALUES: ReadonlyMap<string, number> = new Map(TYPES);

function nameOfType(value: number): string | undefined {
  return TYPES.find(([, number]) => number === value)?.[0];
}

function valueTypes(attributes: ReadonlyMap<string, string>): Record<string, number> {
  return Object.fromEntries(
    [...attributes].map(([name, type]) => [name, TYPE_VALUES.get(type) ?? 0]),
  );
}

const SYSTEM_INFO = {
  serverVersion: SERVER_VERSION,
  capabilities: {
    signalAndQueryHeader: true,
    internalErrorDifferentiation: true,
    activityFailureIncludeHeartbeat: true,
    supportsSchedules: true,
    encodedFailureAttributes: true,
    buildIdBasedVersioning: true,
    upsertMemo: true,
    eagerWorkflowStart: true,
    sdkMetadata: true,
    countGroupByExecutionStatus: true,
    nexus: true,
    serverScaledDeployments: true,
  },
};

function clusterInfo(server: Server): object {
  return {
    supportedClients: { 'temporal-typescript': '<2.0.0' },
    serverVersion: SERVER_VERSION,
    clusterId: server.clusterId,
    clusterName: 'active',
    historyShardCount: 1,
    persistenceStore: 'sqlite',
    visibilityStore: 'sqlite',
    initialFailoverVersion: toLong(1),
    failoverVersionIncrement: toLong(10),
  };
}

function describe(
  server: Server,
  { namespace, id }: { namespace?: string | null; id?: string | null },
): object {
  if (id && id === server.namespace.id) return description(server);
  if (namespace !== server.namespace.name) throw namespaceNotFound(namespace ?? '');
  return description(server);
}

const REGISTERED = 1;

function description({ namespace, searchAttributes }: Server): object {
  return {
    namespaceInfo: {
      name: namespace.name,
      state: REGISTERED,
      description: namespace.description,
      ownerEmail: namespace.ownerEmail,
      data: namespace.data,
      id: namespace.id,
      capabilities: {
        eagerWorkflowStart: true,
        syncUpdate: true,
        asyncUpdate: true,
        workerHeartbeats: true,
        reportedProblemsSearchAttribute: true,
        standaloneActivities: true,
        pollerAutoscaling: true,
        standaloneActivityStartDelay: true,
        standaloneActivityBatchOperations: true,
        standaloneActivityOperatorCommands: true,
      },
      limits: {
        blobSizeLimitError: toLong(BLOB_LIMIT),
        memoSizeLimitError: toLong(BLOB_LIMIT),
      },
      supportsSchedules: true,
    },
    config: {
      workflowExecutionRetentionTtl: toDuration(RETENTION_MS),
      badBinaries: { binaries: {} },
      historyArchivalState: 1,
      visibilityArchivalState: 1,
      customSearchAttributeAliases: Object.fromEntries(
        [...searchAttributes].map(([name, type], index) => [`${type}${index + 1}`, name]),
      ),
    },
    replicationConfig: { activeClusterName: 'active', clusters: [{ clusterName: 'active' }] },
    failoverVersion: toLong(0),
    isGlobalNamespace: false,
  };
}

function update(server: Server, request: Update): object {
  const { namespace } = server;
  if (request.namespace !== namespace.name) throw namespaceNotFound(request.namespace ?? '');
  const info = request.updateInfo;
  if (info) {
    if (info.description) namespace.description = info.description;
    if (info.ownerEmail) namespace.ownerEmail = info.ownerEmail;
    namespace.data = { ...namespace.data, ...info.data };
  }
  return description(server);
}
