import { z } from 'zod';

import { createInstanceBodySchema } from '../../contract/api/create-instance-body.js';
import { parseRequest } from '../http/request-body.js';
import { patchTags, tagsPatchSchema } from '../http/tags.js';
import type { World } from '../state/world.js';

const bodySchema = z.strictObject({
  name: createInstanceBodySchema.shape.name,
  tags: tagsPatchSchema.optional(),
});

/** Applies a merge patch of name and tags immediately. */
export function patchNameAndTags(
  world: World,
  rows: 'instances' | 'volumes' | 'snapshots',
  { row, json }: { row: { id: string; name: string; tags: Record<string, string> }; json: unknown },
): void {
  const { name = row.name, tags } = parseRequest(world, bodySchema, json);
  const change = { name, tags: patchTags(row.tags, tags) };
  world[rows].update(row.id, { ...change, updatedAt: world.now() });
}
