import { z } from '@hono/zod-openapi';

import { UploadInUseError, type GcoreWorkflows } from '../../client/index.js';
import { LIST_OPERATIONS } from '../../contract/uploads.js';
import { KEPT_DAYS, uploadOfUrl, uploadUrl, type UploadName } from '../../contract/wire/uploads.js';
import { ACCOUNT_NAME, DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import { Scope, type Caller } from '../../tokens/token-file.js';
import { audited } from '../audit.js';
import { isLimited, mayUse, refuseOther } from '../find-run.js';
import type { Endpoint, GatewayContext, GatewayParts } from '../gateway-context.js';
import { json, problems } from '../openapi/describe.js';
import { streamList } from '../read-body.js';
import { readQuery } from '../read-request.js';
import { createSharedReads } from '../share-reads.js';
import { identityOf } from '../tokens.js';
import { within } from '../within.js';

type UploadsOfAccount = Awaited<ReturnType<GcoreWorkflows['uploads']>>;

const operationSchema = z.enum(LIST_OPERATIONS);

const accountSchema = z
  .string()
  .regex(ACCOUNT_NAME, { error: 'must be the name of an account' })
  .optional()
  .describe('of the runs that read it; "default" when left out');
const querySchema = z.strictObject({ account: accountSchema });
const listQuerySchema = z.strictObject({
  account: accountSchema,
  skip: z
    .string()
    .regex(/^\d{1,4}$/, { error: 'must be a number from 0 to 9999' })
    .optional()
    .describe('so many of the newest are left out: those that you have seen'),
});
const deleteQuerySchema = z.strictObject({
  account: accountSchema,
  force: z
    .enum(['true'], { error: 'must be true, or left out' })
    .optional()
    .describe(
      'also while open runs may read it: they block when they read on. A token that is limited to some operations has to be allowed to use each of them',
    ),
});

const manifestSchema = z
  .object({ url: z.string(), sha256: z.string() })
  .describe('for the input of any number of runs of the account; the same list has the same one');

const usageSchema = z
  .object({
    caller: z
      .object({ bytes: z.int(), mostBytes: z.int() })
      .describe('of the lists that this token has uploaded, in all accounts'),
    account: z
      .object({
        bytes: z.int(),
        mostBytes: z.int(),
        lists: z.int(),
        mostLists: z.int(),
      })
      .describe('of all lists of the account'),
    list: z.object({ mostBytes: z.int() }).describe('of one list'),
  })
  .describe('what is kept, and how much may be');

const uploadedSchema = z.object({
  manifest: manifestSchema,
  lines: z.int(),
  bytes: z.int(),
  keptUntil: z.string().describe('ISO 8601'),
  usage: usageSchema.describe('with this list'),
});

const listedSchema = z.object({
  uploads: z.array(
    z.object({
      account: z.string(),
      manifest: manifestSchema,
      operation: operationSchema.optional(),
      lines: z.int().optional(),
      bytes: z.int(),
      by: z.string().optional().describe('who has uploaded it first'),
      uploadedAt: z.string().describe('ISO 8601'),
      keptUntil: z.string().describe('ISO 8601'),
      isWhole: z.boolean().describe('false while it is uploaded, and after an upload broke off'),
    }),
  ),
  more: z.int().describe('older ones, beside those here and those that were left out'),
  usage: usageSchema,
});

/** Of each two or three fit into a kilobyte. */
const MOST_LISTED = 100;

/** For lists that are too long for a body: nobody needs a file where a worker is. */
export function uploadEndpoints(parts: GatewayParts): Endpoint[] {
  const lists = createLists(parts);
  return [uploadEndpoint(parts, lists), listEndpoint(lists), deleteEndpoint(parts, lists)];
}

interface Lists {
  /** What is kept, at most a second old. */
  read: (by: string, account: string) => Promise<UploadsOfAccount>;
  /** What is known is old: this gateway has just changed it. A refused request changes nothing, and costs no new look. */
  forget: () => void;
}

const FRESH_MS = 1_000;

/** A look reads all lists of all accounts: who asks a hundred times a second gets the same one. */
function createLists({ gcore }: Pick<GatewayParts, 'gcore'>): Lists {
  const share = createSharedReads<UploadsOfAccount>(FRESH_MS);
  let changes = 0;
  return {
    read: (by, account) =>
      share(`${changes} ${account} ${by}`, () =>
        within(gcore, WITHIN_MS, () => gcore.as(by).uploads(account)),
      ),
    forget() {
      changes += 1;
    },
  };
}

function uploadEndpoint(parts: GatewayParts, lists: Lists): Endpoint {
  return {
    scope: Scope.run,
    route: {
      method: 'post',
      path: '/v1/uploads/{operation}',
      operationId: 'upload',
      tags: ['Start'],
      summary: 'Upload a list, and get the manifest of an input',
      description: `JSON Lines, at most 64 MiB, or as \`usage.list\` of the lists says, without secrets in clear. Starts nothing. The list is kept for ${KEPT_DAYS} days, and counts as kept by this token. Safe to repeat: a list that is kept already is not kept again.`,
      request: {
        params: z.object({ operation: operationSchema }),
        query: querySchema,
        body: {
          required: true,
          content: { 'application/x-ndjson': { schema: z.string() } },
        },
      },
      responses: {
        201: json('The list is kept', uploadedSchema),
        ...problems(400, 403, 404, 415, 429, 503),
      },
    },
    handle: async (c) => {
      const answer = await upload(parts, c);
      lists.forget();
      return answer;
    },
  };
}

async function upload(parts: GatewayParts, c: GatewayContext): Promise<Response> {
  const { data: operation } = operationSchema.safeParse(c.req.param('operation'));
  if (operation === undefined) return c.notFound();
  const caller = c.get('caller');
  const { account = DEFAULT_ACCOUNT } = readQuery(c, querySchema);
  refuseOther(caller, { operation, account });
  const free = parts.uploads.take(caller.name);
  const { hold, makeLarge } = c.var;
  try {
    hold(READING_BYTES);
    const acting = parts.gcore.as(identityOf(caller));
    const kept = await audited(parts.audit, { c, action: 'upload' }, () =>
      acting.upload(operation, streamList(c), { account, onHeld: hold, sendLarge: makeLarge }),
    );
    return c.json(kept, 201);
  } finally {
    free();
  }
}

/** The piece that is being compressed, and a line that has not come to its end. */
const READING_BYTES = 4 * 1_024 ** 2;

const WITHIN_MS = 30_000;

function listEndpoint(lists: Lists): Endpoint {
  return {
    scope: Scope.read,
    route: {
      method: 'get',
      path: '/v1/uploads',
      operationId: 'uploads',
      tags: ['Read'],
      summary: 'The uploaded lists of an account, and how much more may be kept',
      description:
        'The newest at the top, 100 at a time. Shows a change some seconds late. A token that is limited to some operations sees the lists of these, and the bytes of all.',
      request: { query: listQuerySchema },
      responses: { 200: json('The lists', listedSchema), ...problems(400, 403, 503) },
    },
    handle: async (c) => {
      const caller = c.get('caller');
      const { account = DEFAULT_ACCOUNT, skip = '0' } = readQuery(c, listQuerySchema);
      refuseOther(caller, { account });
      const { uploads, usage } = await c.get('makeLarge')(() =>
        lists.read(identityOf(caller), account),
      );
      const left = uploads.filter((one) => maySee(caller, one)).slice(Number(skip));
      const shown = left.slice(0, MOST_LISTED);
      return c.json({ uploads: shown, more: left.length - shown.length, usage }, 200);
    },
  };
}

/** A list that nobody knows the operation of may be of any. */
function maySee(
  { operations, accounts }: Caller,
  { operation, account }: { operation?: string | undefined; account: string },
): boolean {
  if (accounts?.includes(account) === false) return false;
  return operations === undefined || operations.some((one) => one === operation);
}

function deleteEndpoint(parts: GatewayParts, lists: Lists): Endpoint {
  return {
    scope: Scope.run,
    route: {
      method: 'delete',
      path: '/v1/uploads/{sha256}',
      operationId: 'deleteUpload',
      tags: ['Operate'],
      summary: 'Delete an uploaded list',
      description:
        'Refused while an open run may still read it, unless forced. A run that was started in the last seconds may not be seen. The same list may be uploaded again.',
      request: {
        params: z.object({ sha256: z.string().describe('of the list, in hex') }),
        query: deleteQuerySchema,
      },
      responses: {
        204: { description: 'The list is deleted' },
        ...problems(400, 403, 404, 409, 429, 503),
      },
    },
    handle: async (c) => {
      const { account = DEFAULT_ACCOUNT, force } = readQuery(c, deleteQuerySchema);
      refuseOther(c.get('caller'), { account });
      const name = { account, sha256: c.req.param('sha256') ?? '' };
      await remove(parts, c, { name, force: force === 'true' });
      lists.forget();
      return c.body(null, 204);
    },
  };
}

interface Removal {
  name: UploadName;
  force: boolean;
}

async function remove(
  { gcore, audit, uploads }: GatewayParts,
  c: GatewayContext,
  { name, force }: Removal,
): Promise<void> {
  const caller = c.get('caller');
  // It reads the input of each open run that may read the list.
  const free = uploads.take(caller.name);
  const acting = gcore.as(identityOf(caller));
  const upload = uploadUrl(name);
  // What cannot be a list may be anything, and as long as a path.
  const isList = uploadOfUrl(upload) !== undefined;
  const about = { c, action: 'delete-upload', ...(isList && { upload }) };
  try {
    await audited(audit, about, () =>
      within(gcore, WITHIN_MS, () =>
        deleteFor(caller, force, (isForced) =>
          acting.deleteUpload(name, {
            force: isForced,
            only: caller.operations,
            readLarge: c.get('makeLarge'),
          }),
        ),
      ),
    );
  } catch (error) {
    // Only what the caller may know of.
    if (!(error instanceof UploadInUseError)) throw error;
    const known = error.runs.filter((run) => mayUse(caller, run));
    throw new UploadInUseError(known, { count: error.count, mayHide: isLimited(caller) });
  } finally {
    free();
  }
}

/** A list may be read by runs that the token may not use: it makes none of these block. */
async function deleteFor(
  caller: Caller,
  force: boolean,
  deleteIt: (isForced: boolean) => Promise<void>,
): Promise<void> {
  if (!force || caller.operations === undefined) return deleteIt(force);
  try {
    await deleteIt(false);
  } catch (error) {
    if (!(error instanceof UploadInUseError)) throw error;
    const known = error.runs.filter((run) => mayUse(caller, run));
    if (known.length < error.count) throw error;
    await deleteIt(true);
  }
}
