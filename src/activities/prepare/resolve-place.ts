import { z } from 'zod';

import type { Fault } from '../../contract/failures.js';
import type { Place } from '../../contract/place.js';
import type { PrepareDeps } from './prepare-deps.js';

const placeSchema = z.object({ projectId: z.unknown(), regionId: z.unknown() }).partial().catch({});

/** The place of the calls. Reads the raw input, so that a missing place is reported together with other faults. */
export function resolvePlace(
  input: unknown,
  defaults: PrepareDeps['defaults'],
): Place | { faults: Fault[] } {
  const given = placeSchema.parse(input);
  const projectId = given.projectId ?? defaults.projectId;
  const regionId = given.regionId ?? defaults.regionId;
  const missing = [
    ...(projectId === undefined ? [missingPlace('projectId', 'GCORE_CLOUD_PROJECT_ID')] : []),
    ...(regionId === undefined ? [missingPlace('regionId', 'GCORE_CLOUD_REGION_ID')] : []),
  ];
  // The schema refuses a value of another type.
  if (typeof projectId !== 'number' || typeof regionId !== 'number') return { faults: missing };
  return { projectId, regionId };
}

function missingPlace(path: string, variable: string): Fault {
  return {
    path,
    message: `is missing, and the worker has no default: give it, or set ${variable}`,
  };
}
