import {
  sentInstanceBodySchema,
  type SentInstanceBody,
} from '../../contract/api/create-instance-body.js';
import { tagsBodySchema } from '../../contract/api/cloud.js';
import type { Fault } from '../../engine/core/failures.js';
import { OWN_TAGS } from '../../contract/wire/names.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import { findFlavor } from '../state/catalog.js';
import { validationError } from '../http/cloud-error.js';

/**
 * Parses the body of a create call. The contract refuses the worker's own tags, because it reserves them
 * for the worker. For the API they are normal tags. So this function removes them before the contract
 * checks the body, and puts them back afterwards.
 */
export function parseCreateBody(json: unknown): SentInstanceBody {
  const faults: Fault[] = [];
  const { body, ofInstance, ofVolumes } = removeOwnTags(json, faults);
  const parsed = parseInput(sentInstanceBodySchema, body);
  if (!parsed.ok) throw validationError([...parsed.faults, ...faults]);
  if (findFlavor(parsed.value.flavor) === undefined) {
    faults.push({ path: 'flavor', message: `Flavor ${parsed.value.flavor} is not found` });
  }
  if (faults.length > 0) throw validationError(faults);
  return {
    ...parsed.value,
    ...withTags(parsed.value.tags, ofInstance),
    volumes: parsed.value.volumes.map((volume, index) => ({
      ...volume,
      ...withTags(volume.tags, ofVolumes[index]),
    })),
  };
}

type Tags = Record<string, string>;

function removeOwnTags(json: unknown, faults: Fault[]) {
  if (!isObject(json)) return { body: json, ofInstance: {}, ofVolumes: [] };
  const instance = splitTags(json, 'tags', faults);
  const volumes = Array.isArray(json['volumes'])
    ? json['volumes'].map((volume: unknown, index) =>
        isObject(volume)
          ? splitTags(volume, `volumes[${index}].tags`, faults)
          : { rest: volume, own: {} },
      )
    : undefined;
  return {
    body: volumes
      ? { ...instance.rest, volumes: volumes.map((volume) => volume.rest) }
      : instance.rest,
    ofInstance: instance.own,
    ofVolumes: volumes?.map((volume) => volume.own) ?? [],
  };
}

function splitTags(
  body: Record<string, unknown>,
  path: string,
  faults: Fault[],
): { rest: Record<string, unknown>; own: Tags } {
  const { tags } = body;
  if (!isObject(tags)) return { rest: body, own: {} };
  const entries = Object.entries(tags);
  const own: Tags = {};
  for (const [key, value] of entries.filter(([tag]) => OWN_TAGS.includes(tag))) {
    // Under another key the contract checks the value by the rule for all tag values.
    const parsed = parseInput(tagsBodySchema, { other: value });
    if (parsed.ok) own[key] = parsed.value['other'] ?? '';
    else faults.push(...parsed.faults.map(({ message }) => ({ path: `${path}.${key}`, message })));
  }
  const others = Object.fromEntries(entries.filter(([tag]) => !OWN_TAGS.includes(tag)));
  return { rest: { ...body, tags: others }, own };
}

function withTags(tags: Tags | undefined, own: Tags = {}): { tags?: Tags } {
  return Object.keys(own).length === 0 ? {} : { tags: { ...tags, ...own } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
