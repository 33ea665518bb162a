import type { z } from 'zod';

import { paths } from '../contract/wire/paths.js';
import {
  flavorListSchema,
  exceededQuotasSchema,
  instancePriceSchema,
  type ExceededQuota,
} from '../contract/api/cloud.js';
import type { CreateInstanceBody } from '../contract/api/create-instance-body.js';
import type { Place } from '../contract/wire/names.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import type { PlanPrice } from '../engine/schema/documents.js';
import { readAllRows } from './cloud-list.js';

export interface FlavorView {
  id: string;
  /** In MiB. */
  ram: number;
}

/** The requested instance, without its secrets. */
export type AskedInstance = Pick<
  CreateInstanceBody,
  'flavor' | 'interfaces' | 'volumes' | 'name' | 'name_template'
>;

/** Reads of a plan about sizes. The POSTs change nothing. */
export function createFlavorActivities({ api }: { api: ApiClient }) {
  /** Asks about an instance that is not there yet. */
  const askAbout = <T>(
    path: string,
    { instance, response }: { instance: AskedInstance; response: z.ZodType<T> },
  ): Promise<T> =>
    api.request({
      method: 'POST',
      path,
      body: toAskedBody(instance),
      bodyAt: 'instance',
      response,
      repeatable: true,
    });
  return {
    reads: {
      /** `GET /cloud/v1/flavors/{project_id}/{region_id}` */
      async listFlavors(place: Place): Promise<FlavorView[]> {
        const list = { path: paths.flavors(place), response: flavorListSchema };
        const rows = await withPatientReads(api, (reads) => readAllRows(reads, list));
        return rows.map(({ flavor_id: id, ram }) => ({ id, ram }));
      },

      /** Ids of the flavors that fit these volumes and have capacity. `POST …/available_flavors` */
      async listAvailableFlavors(
        input: Place & Pick<CreateInstanceBody, 'volumes'>,
      ): Promise<string[]> {
        const { results } = await api.request({
          method: 'POST',
          path: paths.availableFlavors(input),
          body: { volumes: input.volumes.map(toCheckedVolume) },
          bodyAt: 'instance',
          response: flavorListSchema,
          isLarge: true,
          repeatable: true,
        });
        return results.filter(({ disabled }) => disabled !== true).map(({ flavor_id: id }) => id);
      },

      /** Quotas that a create would exceed. `POST /cloud/v2/instances/…/check_limits` */
      async checkLimits(input: Place & { instance: AskedInstance }): Promise<ExceededQuota[]> {
        const { instance, ...place } = input;
        return askAbout(paths.checkLimits(place), { instance, response: exceededQuotasSchema });
      },

      /** What the instance would cost. `POST /cloud/v2/pricing/{project_id}/{region_id}/instances` */
      async priceInstance(
        input: Place & { instance: AskedInstance },
      ): Promise<PlanPrice | undefined> {
        const { instance, ...place } = input;
        return askAbout(paths.instancePrice(place), { instance, response: instancePriceSchema });
      },
    },
  } satisfies ActivityGroups;
}

function toAskedBody({ name, name_template: template, ...instance }: AskedInstance): object {
  const named =
    template === undefined ? { names: [name ?? 'instance'] } : { name_templates: [template] };
  return { ...instance, ...named };
}

/** Fields of a volume that `available_flavors` does not document. */
const NOT_CHECKED: ReadonlySet<string> = new Set([
  'attachment_tag',
  'delete_on_termination',
  'tags',
]);

function toCheckedVolume(volume: CreateInstanceBody['volumes'][number]): unknown {
  return Object.fromEntries(Object.entries(volume).filter(([field]) => !NOT_CHECKED.has(field)));
}
