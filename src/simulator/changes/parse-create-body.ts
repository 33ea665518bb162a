import {
  createInstanceBodySchema,
  type CreateInstanceBody,
} from '../../contract/api/create-instance-body.js';
import { tagsBodySchema } from '../../contract/api/tags.js';
import type { Fault } from '../../contract/failures.js';
import { MARKER_TAG } from '../../contract/names.js';
import { parseInput } from '../../contract/parse-input.js';
import { findFlavor } from '../state/catalog.js';
import { validationError } from '../http/cloud-error.js';

/**
 * Parses the body of a create call. The contract refuses the marker tag, because it reserves it for the
 * worker. For the API it is a normal tag. So this function removes the marker before the contract
 * checks the body, and puts it back afterwards.
 */
export function parseCreateBody(json: unknown): CreateInstanceBody {
  const faults: Fault[] = [];
  const markers = removeMarkers(json, faults);
  const parsed = parseInput(createInstanceBodySchema, markers.body);
  if (!parsed.ok) throw validationError([...parsed.faults, ...faults]);
  if (findFlavor(parsed.value.flavor) === undefined) {
    faults.push({ path: 'flavor', message: `Flavor ${parsed.value.flavor} is not found` });
  }
  if (faults.length > 0) throw validationError(faults);
  return {
    ...parsed.value,
    ...withMarker(parsed.value.tags, markers.ofInstance),
    volumes: parsed.value.volumes.map((volume, index) => ({
      ...volume,
      ...withMarker(volume.tags, markers.ofVolumes[index]),
    })),
  };
}

function removeMarkers(json: unknown, faults: Fault[]) {
  if (!isObject(json)) return { body: json, ofInstance: undefined, ofVolumes: [] };
  const instance = removeMarker(json, 'tags', faults);
  const volumes = Array.isArray(json['volumes'])
    ? json['volumes'].map((volume: unknown, index) =>
        isObject(volume)
          ? removeMarker(volume, `volumes[${index}].tags`, faults)
          : { rest: volume, marker: undefined },
      )
    : undefined;
  return {
    body: volumes
      ? { ...instance.rest, volumes: volumes.map((volume) => volume.rest) }
      : instance.rest,
    ofInstance: instance.marker,
    ofVolumes: volumes?.map((volume) => volume.marker) ?? [],
  };
}

function removeMarker(body: Record<string, unknown>, path: string, faults: Fault[]) {
  const tags = body['tags'];
  if (!isObject(tags) || !(MARKER_TAG in tags)) return { rest: body, marker: undefined };
  const { [MARKER_TAG]: value, ...others } = tags;
  // Under another key the contract checks the value by the rule for all tag values.
  const parsed = parseInput(tagsBodySchema, { marker: value });
  if (!parsed.ok) {
    faults.push(
      ...parsed.faults.map(({ message }) => ({ path: `${path}.${MARKER_TAG}`, message })),
    );
  }
  return {
    rest: { ...body, tags: others },
    marker: parsed.ok ? parsed.value['marker'] : undefined,
  };
}

function withMarker(tags: Record<string, string> | undefined, marker: string | undefined) {
  return marker === undefined ? {} : { tags: { ...tags, [MARKER_TAG]: marker } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
