import {
  sentInstanceBodySchema,
  type SentInstanceBody,
} from '../../contract/api/create-instance-body.js';
import { tagsBodySchema } from '../../contract/api/cloud.js';
import type { Fault } from '../../engine/core/failures.js';
import { OWN_TAGS } from '../../contract/wire/names.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import { validationError } from '../http/cloud-error.js';
import { parsePart } from '../http/request-body.js';
import type { Scope } from '../http/scope.js';
import type { World } from '../state/world.js';
import { faultsOfReferences } from './check-references.js';
import { takesExisting } from './create-instance.js';

/**
 * Parses the body of a create call: one body for each instance that it asks for. The contract refuses the worker's own
 * tags, because it reserves them for the worker. For the API they are normal tags. So this function removes them before
 * the contract checks the body, and puts them back afterwards.
 */
export function parseCreateBodies(world: World, scope: Scope, json: unknown): SentInstanceBody[] {
  const bodies = toBodies(json).map((body) => parseCreateBody(world, scope, body));
  if (bodies.length > 1 && bodies.some(takesExisting)) {
    const message = 'cannot be given for several instances that would share a volume or an address';
    throw validationError([{ path: 'names', message }]);
  }
  return bodies;
}

function parseCreateBody(world: World, scope: Scope, json: unknown): SentInstanceBody {
  const faults: Fault[] = [];
  const { body, ofInstance, ofVolumes } = removeOwnTags(json, faults);
  const parsed = parsePart(world, sentInstanceBodySchema, body);
  if (!parsed.ok) throw validationError([...parsed.faults, ...faults]);
  faults.push(...faultsOfReferences(world, scope, parsed.value));
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

/** The names that older clients send, and the current ones. */
const OLD_NAMES = { keypair_name: 'ssh_key_name', metadata: 'tags' } as const;

/** Older clients name several instances in one call, and send texts that are empty for what they leave out. */
function toBodies(json: unknown): unknown[] {
  if (!isObject(json)) return [json];
  const { names, name_templates: templates, ...rest } = json;
  const body: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(rest)) {
    const isLeftOut = ['username', 'password', 'user_data'].includes(field) && value === '';
    if (!isLeftOut) body[isOld(field) ? OLD_NAMES[field] : field] = value;
  }
  const named = listOf(names).map((name) => ({ ...body, name }));
  const byTemplate = listOf(templates).map((template) => ({ ...body, name_template: template }));
  const several = [...named, ...byTemplate];
  return several.length > 0 ? several : [body];
}

function isOld(field: string): field is keyof typeof OLD_NAMES {
  return field in OLD_NAMES;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
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
