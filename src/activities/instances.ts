import type { StartedRemoval, StartedTasks } from '../engine/core/tasks.js';

import { MAX_NAME_BYTES } from '../contract/api/errors.js';
import { paths } from '../contract/wire/paths.js';
import { instanceListSchema, instanceSchema, type Instance } from '../contract/api/cloud.js';
import {
  sentInstanceBodySchema,
  type CreateInstanceBody,
  type SentInstanceBody,
} from '../contract/api/create-instance-body.js';
import { cutText } from '../engine/core/text.js';
import { MAKER_TAG, MARKER_TAG, type Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { change, getOne, remove } from './cloud-calls.js';
import { instanceSecrets } from './instance-secrets.js';
import { publicAddressOf } from './public-address.js';
import { usedFailure, usesBeforeDelete } from './snapshot-of-volume.js';
import { fillOne } from './secrets/fill-secrets.js';
import type { SecretSource } from './secrets/secret-source.js';
import { hasSecretRef } from '../contract/wire/secret-ref.js';
import { isOfNamespace, readAllRows, tagFilter, tagOf } from './cloud-list.js';

/** What a run needs to know about an instance; small, because histories record it. */
export interface InstanceView {
  id: string;
  name: string;
  status: string;
  flavor: string | undefined;
  creatorTaskId: string | undefined;
  /** The task that locks the instance: until it ends, the API refuses changes. */
  lockTaskId?: string | undefined;
  addresses: { network: string; address: string; type: string }[];
  /** Null when nobody outside can reach it. */
  publicAddress: string | null;
  volumeIds: string[];
  /** Volumes that the API always deletes with the instance; missing when there are none. */
  boundVolumeIds?: string[];
  marker: string | undefined;
  /** The run that made it (`engine/core/identity.ts`); missing when somebody took the tag away. */
  maker?: string;
}

/** What a search by marker returns. */
export interface MarkedSearch extends Place {
  marker: string;
  /** Leaves out what runs of another Temporal namespace of the same name made under the same marker. */
  namespaceId?: string | undefined;
}

export interface CreateInstanceInput extends Place {
  /** Value of the tag that finds this instance and its new volumes again. */
  marker: string;
  /** Value of the tag that tells the things of this run from those of other runs of its request. */
  maker: string;
  instance: CreateInstanceBody;
}

export interface DeleteInstanceInput extends Place {
  instanceId: string;
  /** Volumes to delete with the instance. The API keeps the others. */
  volumeIds: string[];
}

export interface UndoInstanceInput extends DeleteInstanceInput {
  /** Volumes that the API deletes with it, named or not. */
  boundVolumeIds?: readonly string[] | undefined;
}

export interface InstanceDeps {
  api: ApiClient;
  secrets: SecretSource;
}

export function createInstanceActivities({ api, secrets }: InstanceDeps) {
  const list = createInstanceList(api);
  return {
    reads: {
      /** Instances that carry the marker. `GET /cloud/v1/instances/…?tag_key_value=` */
      async listInstances(input: MarkedSearch): Promise<InstanceView[]> {
        const query = { tag_key_value: tagFilter(MARKER_TAG, input.marker) };
        const found = await list(input, query);
        // Compares again here: when a server ignores the filter, a foreign instance must not become ours.
        return found.filter(
          ({ marker, maker }) => marker === input.marker && isOfNamespace(maker, input),
        );
      },

      /**
       * Which of these instances have another marker or none. `GET /cloud/v1/instances/…`
       * One call instead of one read each; instances that are not listed yet are not among them.
       */
      async listForeignInstances(
        input: Place & { marker: string; ids: string[] },
      ): Promise<string[]> {
        const found = await list(input, {});
        return found
          .filter(({ id, marker }) => input.ids.includes(id) && marker !== input.marker)
          .map(({ id }) => id);
      },

      /** Fails as `NotFound` when the instance is gone. */
      getInstance: (input: Place & { instanceId: string }): Promise<InstanceView> =>
        readInstance(api, input),
    },
    mutations: {
      /** `POST /cloud/v2/instances/{project_id}/{region_id}`. One attempt: see engine/send/send-once. */
      async createInstance(input: CreateInstanceInput): Promise<StartedTasks> {
        const { marker, maker, instance: given, ...place } = input;
        const { sent: instance, secrets: values } = await beforeSending(() =>
          fillOne(secrets, { at: 'instance.', value: given }, INSTANCE_AS_SENT),
        );
        return change(api, {
          method: 'POST',
          path: paths.createInstance(place),
          body: withTags(instance, { marker, maker }),
          bodyAt: 'instance',
          secrets: () => ({ values: [...values, ...instanceSecrets(instance)] }),
        });
      },
    },
    deletes: {
      /** Deletes an instance. Returns no task ids when it was already gone. */
      deleteInstance: (input: DeleteInstanceInput) => removeInstance(api, input),
      /**
       * The same in an undo. Keeps the volumes of which somebody has taken a snapshot, as the API may delete that too, and those
       * that another instance has too. Fails as `RemovalBlocked` when the API would not keep one of them.
       */
      async undoInstance({ boundVolumeIds = [], ...input }: UndoInstanceInput) {
        const ids = new Set([...boundVolumeIds, ...input.volumeIds]);
        const { instanceId, volumeIds, ...place } = input;
        const uses = await usesBeforeDelete(api, { place, volumeIds: [...ids], instanceId });
        const [bound] = [...uses].filter(([id]) => boundVolumeIds.includes(id));
        if (bound !== undefined) throw usedFailure(...bound);
        const takes = volumeIds.filter((id) => !uses.has(id));
        const removal = await removeInstance(api, { ...input, volumeIds: takes });
        return takes.length === volumeIds.length ? removal : { ...removal, takes };
      },
    },
  } satisfies ActivityGroups;
}

export async function readInstance(
  reads: ApiClient,
  input: Place & { instanceId: string },
): Promise<InstanceView> {
  const path = paths.instance(input, input.instanceId);
  return toView(await getOne(reads, path, instanceSchema));
}

const INSTANCE_AS_SENT = {
  schema: sentInstanceBodySchema,
  isSent: (body: CreateInstanceBody): body is SentInstanceBody => !hasSecretRef(body),
};

/** All pages: a server that ignores the filter has many. */
function createInstanceList(api: ApiClient) {
  return (place: Place, query: Record<string, string>): Promise<InstanceView[]> =>
    withPatientReads(api, async (reads) => {
      const path = paths.instances(place);
      const found = await readAllRows(reads, { path, query, response: instanceListSchema });
      return found.map(toView);
    });
}

function removeInstance(
  api: ApiClient,
  { instanceId, volumeIds, ...place }: DeleteInstanceInput,
): Promise<StartedRemoval> {
  return remove(api, paths.instance(place, instanceId), {
    query: { volumes: commaList(volumeIds) },
  });
}

/** Marks new volumes too: they outlive a failed create, and nothing else leads to them. */
function withTags(
  instance: SentInstanceBody,
  { marker, maker }: Pick<CreateInstanceInput, 'marker' | 'maker'>,
): unknown {
  const mark = { [MARKER_TAG]: marker, [MAKER_TAG]: maker };
  return {
    ...instance,
    tags: { ...instance.tags, ...mark },
    volumes: instance.volumes.map((volume) =>
      volume.source === 'existing-volume'
        ? volume
        : { ...volume, tags: { ...volume.tags, ...mark } },
    ),
  };
}

function toView(instance: Instance): InstanceView {
  const addresses = Object.entries(instance.addresses).flatMap(([network, list]) =>
    list.map(({ addr, type }) => ({
      network: cutText(network, MAX_NAME_BYTES),
      address: addr,
      type,
    })),
  );
  const bound = instance.volumes.filter((volume) => volume.delete_on_termination);
  const maker = tagOf(instance, MAKER_TAG);
  return {
    id: instance.id,
    name: instance.name,
    status: instance.status,
    flavor: instance.flavor?.flavor_id,
    creatorTaskId: instance.creator_task_id ?? undefined,
    lockTaskId: instance.task_id ?? undefined,
    addresses,
    publicAddress: publicAddressOf(addresses) ?? null,
    volumeIds: instance.volumes.map((volume) => volume.id),
    ...(bound.length > 0 && { boundVolumeIds: bound.map((volume) => volume.id) }),
    marker: tagOf(instance, MARKER_TAG),
    ...(maker !== undefined && { maker }),
  };
}

function commaList(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : ids.join(',');
}
