import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { appTemplateSchema } from '../../src/contract/api/app-template.js';
import {
  cloudSshKeyListSchema,
  exceededQuotasSchema,
  flavorListSchema,
  floatingIpListSchema,
  floatingIpSchema,
  imageSchema,
  instanceListSchema,
  instanceSchema,
  interfaceListSchema,
  networkSchema,
  projectListSchema,
  regionListSchema,
  regionSchema,
  subnetSchema,
  taskListSchema,
  taskSchema,
} from '../../src/contract/api/cloud.js';
import { madeSchema } from '../../src/contract/api/errors.js';
import { ddosProfileListSchema, profileTemplateListSchema } from '../../src/contract/api/ddos.js';
import {
  kvEntrySchema,
  kvStoreListSchema,
  kvStoreSchema,
} from '../../src/contract/api/fastedge.js';
import { videoListSchema } from '../../src/contract/api/streaming.js';
import {
  oneVideoSchema,
  shownSubtitleSchema,
  subtitleListSchema,
} from '../../src/contract/api/videos.js';
import {
  snapshotListSchema,
  snapshotSchema,
  volumeListSchema,
  volumeSchema,
} from '../../src/contract/api/volumes.js';
import { ANSWER_FIELDS } from '../simulation/api/answer-fields-data.js';
import { openFieldsOf, type OpenField } from '../simulation/api/answer-fields.js';
import { neededIn } from '../simulation/api/needed-fields.js';

/** What reads the answer to a call; nothing where the product does not read it. */
const READ_BY: Readonly<Record<string, z.ZodType | undefined>> = {
  'GET /cloud/v1/apptemplates/…/…/…': appTemplateSchema,
  'GET /cloud/v1/ddos/profile-templates/…': profileTemplateListSchema,
  'GET /cloud/v1/ddos/profiles/…/…': ddosProfileListSchema,
  'GET /cloud/v1/flavors/…/…': flavorListSchema,
  'GET /cloud/v1/floatingips/…/…': floatingIpListSchema,
  'GET /cloud/v1/floatingips/…/…/…': floatingIpSchema,
  'GET /cloud/v1/images/…/…/…': imageSchema,
  'GET /cloud/v1/instances/…/…': instanceListSchema,
  'GET /cloud/v1/instances/…/…/…': instanceSchema,
  'GET /cloud/v1/instances/…/…/…/interfaces': interfaceListSchema,
  'GET /cloud/v1/networks/…/…/…': networkSchema,
  'GET /cloud/v1/projects': projectListSchema,
  'GET /cloud/v1/regions': regionListSchema,
  'GET /cloud/v1/regions/…': regionSchema,
  'GET /cloud/v1/snapshots/…/…': snapshotListSchema,
  'GET /cloud/v1/snapshots/…/…/…': snapshotSchema,
  'GET /cloud/v1/ssh_keys/…': cloudSshKeyListSchema,
  'GET /cloud/v1/subnets/…/…/…': subnetSchema,
  'GET /cloud/v1/tasks': taskListSchema,
  'GET /cloud/v1/tasks/…': taskSchema,
  'GET /cloud/v1/volumes/…/…': volumeListSchema,
  'GET /cloud/v1/volumes/…/…/…': volumeSchema,
  'GET /fastedge/v1/kv': kvStoreListSchema,
  'GET /fastedge/v1/kv/…': kvStoreSchema,
  'GET /fastedge/v1/kv/…/data': undefined,
  'GET /fastedge/v1/kv/…/data/…': kvEntrySchema,
  'GET /streaming/videos': videoListSchema,
  'GET /streaming/videos/…': oneVideoSchema,
  'GET /streaming/videos/…/subtitles': subtitleListSchema,
  'GET /streaming/videos/…/subtitles/…': shownSubtitleSchema,
  'PATCH /storage/v4/sftp_storages/…': undefined,
  'PATCH /streaming/videos/…': undefined,
  'POST /cloud/v1/instances/…/…/available_flavors': flavorListSchema,
  'POST /cloud/v2/instances/…/…/check_limits': exceededQuotasSchema,
  'POST /fastedge/v1/kv': madeSchema,
  'POST /storage/v4/sftp_storages': madeSchema,
  'POST /streaming/videos': undefined,
  'POST /streaming/videos/batch': videoListSchema,
  'POST /streaming/videos/…/subtitles': madeSchema,
  'PUT /fastedge/v1/kv/…': undefined,
};

const CALLS = ANSWER_FIELDS.split('\n').filter((line) => line !== '' && !line.startsWith(' '));

/** The schemas of what stands at a place of an answer. Several where it may have one of several forms. */
function schemasAt(schema: z.core.$ZodType, steps: readonly string[]): z.core.$ZodType[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodCatch
  ) {
    return steps.length === 0 ? [schema] : schemasAt(schema.unwrap(), steps);
  }
  const [step, ...rest] = steps;
  if (step === undefined) return [schema];
  if (schema instanceof z.ZodPipe) return schemasAt(schema.in, steps);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => schemasAt(each, steps));
  if (step === '[]') return schema instanceof z.ZodArray ? schemasAt(schema.element, rest) : [];
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[step] : undefined;
  return field instanceof z.ZodType ? schemasAt(field, rest) : [];
}

/** In words, what the schema of a field does not accept although the documents allow it. */
function refusalsOf(schema: z.core.$ZodType, { mayBeNull, mayBeMissing }: OpenField): string[] {
  const refuses = (value: unknown): boolean => !z.safeParse(schema, value).success;
  return [
    ...(mayBeNull && refuses(null) ? ['null'] : []),
    ...(mayBeMissing && refuses(undefined) ? ['missing'] : []),
  ];
}

describe('the schemas of answers', () => {
  it('are named here for each call whose answer may have gaps', () => {
    expect(Object.keys(READ_BY).sort()).toEqual([...CALLS].sort());
  });

  it.each(CALLS)('read what the documents let be null or missing: %s', (call) => {
    const [method = '', template = ''] = call.split(' ');
    const schema = READ_BY[call];
    const refused = openFieldsOf(method, template).flatMap((field) =>
      (schema === undefined ? [] : schemasAt(schema, field.steps))
        .filter((at) => refusalsOf(at, field).length > 0)
        .map(() => field.path),
    );

    expect(refused.filter((path) => !neededIn(call).includes(path))).toEqual([]);
  });

  it('find a field at its place', () => {
    const at = (path: string) => schemasAt(volumeListSchema, path.split('.')).length;

    expect(at('results.[].attachments.[].server_id')).toBe(1);
    expect(at('results.[].nothing')).toBe(0);
    expect(schemasAt(kvEntrySchema, ['payload', 'encoding'])).toHaveLength(1);
    expect(schemasAt(kvEntrySchema, ['payload', '[]', 'encoding'])).toHaveLength(1);
  });
});
