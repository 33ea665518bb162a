import { z } from 'zod';

import { kvItemSchema } from './api/fastedge.js';
import { videoItemSchema } from './api/streaming.js';
import {
  failureSchema,
  plannedSchema,
  statusDocumentSchema,
  webhookBodySchema,
} from './documents.js';
import { importReportSchema } from './operations/import-videos.js';
import { operationSchemas } from './operations/index.js';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

type Direction = 'input' | 'output';

/**
 * What callers send and get, as JSON Schemas by name: `provisionInstance.input`, `provisionInstance.result`
 * and so on, `status`, `failure`, `planned`, `importReport`, `webhook`, and `kvItem` and `videoItem` for one line of a
 * manifest.
 *
 * What a schema refuses, the product refuses too. The product refuses more: rules between fields, and
 * lengths in bytes, are in no schema. What callers get may have further fields in a later version.
 */
export function jsonSchemas(): Record<string, JsonSchema> {
  const schemas: Record<string, JsonSchema> = {};
  const add = (name: string, schema: z.ZodType, direction: Direction): void => {
    schemas[name] = toJsonSchema(name, schema, direction);
  };
  for (const [operation, { input, result }] of Object.entries(operationSchemas)) {
    add(`${operation}.input`, input, 'input');
    add(`${operation}.result`, result, 'output');
  }
  add('kvItem', kvItemSchema, 'input');
  add('videoItem', videoItemSchema, 'input');
  add('status', statusDocumentSchema, 'output');
  add('failure', failureSchema, 'output');
  add('planned', plannedSchema, 'output');
  add('importReport', importReportSchema, 'output');
  add('webhook', webhookBodySchema, 'output');
  return schemas;
}

function toJsonSchema(name: string, schema: z.ZodType, io: Direction): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // A later version may say more.
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
      // zod's own name: the pattern beside it says the same.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    },
  });
  return { ...made, $id: `urn:gcore-workflows:${name}` };
}
