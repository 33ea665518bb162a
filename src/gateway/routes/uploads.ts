import { z } from '@hono/zod-openapi';

import { LIST_OPERATIONS } from '../../contract/uploads.js';
import { KEPT_DAYS } from '../../contract/wire/uploads.js';
import { Scope } from '../../tokens/token-file.js';
import { audited } from '../audit.js';
import { refuseOther } from '../find-run.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { json, problems } from '../openapi/describe.js';
import { streamList } from '../read-body.js';
import { identityOf } from '../tokens.js';

const operationSchema = z.enum(LIST_OPERATIONS);

const uploadedSchema = z.object({
  manifest: z
    .object({ url: z.string(), sha256: z.string() })
    .describe('for the input of any number of runs; the same list has the same one'),
  lines: z.int(),
  bytes: z.int(),
});

/** For lists that are too long for a body: nobody needs a file where a worker is. */
export function uploadsEndpoint(parts: GatewayParts): Endpoint {
  return {
    scope: Scope.run,
    route: {
      method: 'post',
      path: '/v1/uploads/{operation}',
      operationId: 'upload',
      tags: ['Start'],
      summary: 'Upload a list, and get the manifest of an input',
      description: `JSON Lines, at most 64 MiB, without secrets in clear. Starts nothing. The list is kept for ${KEPT_DAYS} days, and as long again when it is uploaded again.`,
      request: {
        params: z.object({ operation: operationSchema }),
        body: {
          required: true,
          content: { 'application/x-ndjson': { schema: z.string() } },
        },
      },
      responses: {
        201: json('The list is kept', uploadedSchema),
        ...problems(400, 403, 404, 415, 503),
      },
    },
    handle: (c) => upload(parts, c),
  };
}

async function upload(parts: GatewayParts, c: GatewayContext): Promise<Response> {
  const { data: operation } = operationSchema.safeParse(c.req.param('operation'));
  if (operation === undefined) return c.notFound();
  const caller = c.get('caller');
  refuseOther(caller, { operation });
  const free = parts.uploads.take(caller.name);
  try {
    const acting = parts.gcore.as(identityOf(caller));
    const kept = await audited(parts.audit, { c, action: 'upload' }, () =>
      acting.upload(operation, streamList(c)),
    );
    return c.json(kept, 201);
  } finally {
    free();
  }
}
