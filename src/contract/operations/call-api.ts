import { z } from 'zod';

import { jsonByteLength } from '../../engine/core/text.js';
import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { clearCallSecrets } from '../call-secrets.js';
import { checkSecretRefs } from '../secret-ref-schema.js';
import { CALL_METHODS, isCloudPath, MAX_PATH_LENGTH } from '../wire/api-calls.js';
import { isPointer, MAX_POINTER_BYTES } from '../wire/json-pointer.js';
import { secretPlaces } from '../wire/secret-ref.js';
import { apiPathResource } from '../wire/names.js';
import { toCanonicalJson } from '../../engine/core/values.js';
import { defineAccountChange } from './define-change.js';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_UNDO_BYTES = 16 * 1024;
/** Of what a look compares: each look repeats it in the history. */
const MAX_EQUALS_BYTES = 2_000;
/** More than all fields of a call may have. */
const MAX_JUDGED_BYTES = 128 * 1024;
const MAX_QUERY_BYTES = 1_000;

const PATH_RULE = `must be a path such as /cloud/v1/volumes/1/2: below /cloud/v1, /cloud/v2 and so on, of letters, digits, "-", "_", "." and "~", with at most ${MAX_PATH_LENGTH} characters and without a query`;
const SECRET_RULE =
  'holds a secret, or may hold one, and the history of the run would have it: in a body write { "$secret": "name" } in its place, and give the worker a secret of this name; leave it out of a query and of a look';
/** Each is read before the call is sent. */
const MAX_SECRETS = 60;

const pathSchema = z.string().refine(isCloudPath, { error: PATH_RULE });

const methodSchema = z.enum(CALL_METHODS);

const querySchema = z
  .record(
    z.string().regex(/^[\w.[\]-]{1,64}$/, { error: 'must be the name of a parameter' }),
    z.string({ error: 'must be a text: write a number as one too' }),
  )
  .superRefine(checkSent(MAX_QUERY_BYTES));

const bodySchema = (maxBytes: number) =>
  z.record(z.string(), z.unknown()).superRefine(checkSent(maxBytes)).superRefine(checkNamed);

/** `parseInput` has refused what is nested too deeply. */
function checkSent(maxBytes: number) {
  return (sent: object, context: z.RefinementCtx): void => {
    if (jsonByteLength(sent) <= maxBytes) return;
    const message = `must have at most ${maxBytes} bytes as JSON, because the history of the run holds it`;
    context.addIssue({ code: 'custom', message });
  };
}

function checkNamed(sent: object, context: z.RefinementCtx): void {
  checkSecretRefs(sent, context);
  if (secretPlaces(sent).length <= MAX_SECRETS) return;
  context.addIssue({ code: 'custom', message: `may name at most ${MAX_SECRETS} secrets` });
}

/** Looks at the whole call: what a field holds, its name, those above it and the path say together. */
const noClearSecrets = z.check(({ value, issues }) => {
  // Refused for its size, and too large to look through.
  if (jsonByteLength(value) > MAX_JUDGED_BYTES) return;
  for (const place of clearCallSecrets(value)) {
    issues.push({ code: 'custom', path: [...place], message: SECRET_RULE, input: value });
  }
});
// Also when another field is wrong: a person wants to read every fault at once.
noClearSecrets._zod.def.when = () => true;

/** Any JSON value. A union with its six types says no more, and generators of clients cannot read it. */
const equalsSchema = z
  .unknown()
  .refine((value) => value === undefined || jsonByteLength(value) <= MAX_EQUALS_BYTES, {
    error: `must have at most ${MAX_EQUALS_BYTES} bytes as JSON`,
  })
  .refine((value) => secretPlaces(value).length === 0, {
    error: 'may name no secret: nothing compares with one',
  });

const rule = crossFieldRule(
  z.object({ gone: z.unknown(), pointer: z.unknown(), equals: z.unknown() }).partial(),
);

const lookSchema = z
  .strictObject({
    path: pathSchema.describe('what is read, with GET'),
    query: querySchema.optional().describe('its query'),
    pointer: z
      .string()
      .max(MAX_POINTER_BYTES, { error: `must have at most ${MAX_POINTER_BYTES} characters` })
      .refine(isPointer, {
        error: 'must be a JSON Pointer such as /results/0/name; "" is the whole answer',
      })
      .optional()
      .describe('JSON Pointer (RFC 6901) of the value in the answer'),
    equals: equalsSchema.optional().describe('the value that is there when it was carried out'),
    gone: z
      .literal(true)
      .optional()
      .describe('instead of `pointer` and `equals`: the path answers 404 when it was carried out'),
  })
  .check(
    rule(
      'equals',
      'is missing: set "pointer" and "equals", or "gone": true alone',
      ({ gone, pointer, equals }) =>
        gone === true
          ? pointer === undefined && equals === undefined
          : pointer !== undefined && equals !== undefined,
    ),
  );

const undoSchema = z.strictObject({
  method: methodSchema.describe('its method'),
  path: pathSchema.describe('its path'),
  query: querySchema.optional().describe('its query'),
  body: bodySchema(MAX_UNDO_BYTES).optional().describe('its JSON body'),
});

/** What a call is, without how it is looked for. */
export type SentCall = Pick<z.infer<typeof callApi.input>, 'method' | 'path' | 'query' | 'body'>;
/** How a call is looked for. */
export type ApiLook = z.infer<typeof lookSchema>;

interface AnyCall {
  method: string;
  path: string;
  query?: unknown;
  body?: unknown;
}

/** A POST of something else to the same path makes something else. */
function callSubjects({ method, path, query, body }: AnyCall): string[] {
  const resource = apiPathResource(path);
  return [method === 'POST' ? `${resource} ${toCanonicalJson({ query, body })}` : resource];
}

const MENDABLE = ['QuotaExceeded', 'CapacityUnavailable', 'SecretUnavailable'] as const;

export const callApi = defineAccountChange({
  guarantees:
    'Makes one call of the cloud API that no operation makes, if the worker allows its path. With a look it succeeds only when the look shows the wanted value, sends nothing when that shows before, and looks after a lost answer before it sends again. Without a look it sends the call at most once, and success rests on its task or its answer alone. It never undoes anything by itself.',
  page: 'call-api.md',
  shows: ['method', 'path', 'look.path', 'look.pointer', 'look.gone', 'undo.method', 'undo.path'],
  changes: 'resource',
  subjects: callSubjects,
  foundBy: ['method', 'path', 'body'],
  repeat: 'once',
  blocks: MENDABLE,
  failures: {
    always: ['TaskFailed'],
    blocks: [...MENDABLE, 'OutcomeUnknown', 'ResourceBusy'],
  },
  rules: [noClearSecrets],
  says: 'make a call of the cloud API that has no operation; never twice',
  input: {
    method: methodSchema.describe('method of the call'),
    path: pathSchema.describe('path of the call; the GCORE_CALL_API of the worker has to allow it'),
    query: querySchema.optional().describe('query of the call'),
    body: bodySchema(MAX_BODY_BYTES)
      .optional()
      .describe(
        'JSON body of the call, at most 64 KiB; a secret stands in it as { "$secret": "name" }',
      ),
    look: lookSchema
      .optional()
      .describe('how to see whether it was carried out; without it the call is sent at most once'),
    undo: undoSchema
      .optional()
      .describe('the call that takes it back: told to whoever reads the result, never made'),
  },
  result: {
    method: methodSchema.describe('method of the call'),
    path: z.string().describe('its path'),
    sent: z.boolean().describe('false when the look showed before that there is nothing to do'),
    created: z
      .array(
        z.object({
          kind: z.string().describe('as the API names the list, such as `loadbalancers`'),
          id: z.string().describe('its id'),
        }),
      )
      .describe('what its tasks say that they have made'),
    undo: undoSchema
      .pick({ method: true, path: true })
      .nullable()
      .describe(
        'of the input, when the call was sent: the input has its query and body too, which not everybody may see; null: nothing to undo',
      ),
  },
  example: {
    method: 'PATCH',
    path: '/cloud/v1/volumes/1186/76/1d5b3f2e-6c8a-4a53-9c2b-6f0d6f2c7f11',
    body: { name: 'archive' },
    look: {
      path: '/cloud/v1/volumes/1186/76/1d5b3f2e-6c8a-4a53-9c2b-6f0d6f2c7f11',
      pointer: '/name',
      equals: 'archive',
    },
  },
  command: {
    word: 'call',
    arguments: ['method', 'path'],
    options: ['body', 'look', 'undo'],
    files: ['body', 'look', 'undo'],
  },
  leaves: 'The call was carried out or not',
  done: ({ method, path, sent }) =>
    sent ? `${method} ${path} was carried out` : `${method} ${path} was not needed`,
  undo: 'Make the call under `undo` of the input to take it back, if the result names it.',
});
