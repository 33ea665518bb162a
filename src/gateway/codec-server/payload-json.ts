import { z } from 'zod';

import type { Payload } from '../../codec/codec.js';
import { decodeText } from '../../engine/core/decode-text.js';
import { MAX_VALUES } from '../../engine/core/faults.js';
import { parseJson } from '../../contract/parse-json.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import { ProblemError, toPointers, type ProblemFault } from '../problem.js';

/** As many as a page of a history has, many times over. */
const MAX_PAYLOADS = 5_000;

const base64Schema = z.base64({ error: 'must be base64' });

/** Payloads as protobuf's JSON writes them: bytes are base64. */
const bodySchema = z.object({
  payloads: z
    .array(
      z.object({
        metadata: z.record(z.string(), base64Schema).nullish(),
        data: base64Schema.nullish(),
      }),
    )
    .max(MAX_PAYLOADS, { error: `may have at most ${MAX_PAYLOADS}` }),
});

/** The payloads of a request. @throws ProblemError (400) */
export function parsePayloads(bytes: Uint8Array): Payload[] {
  const parsed = parseInput(bodySchema, toJson(bytes));
  if (!parsed.ok) {
    throw badBody(toPointers(parsed.faults));
  }
  return parsed.value.payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data ?? '', 'base64'),
  }));
}

function toJson(bytes: Uint8Array): unknown {
  const decoded = decodeText(bytes);
  // Before it is parsed: sixteen megabytes of empty objects take more memory than a process has.
  const json = decoded.ok ? parseJson(decoded.text, { maxValues: MAX_VALUES }) : undefined;
  if (json?.ok === true) return json.value;
  if (json?.isJson === true) throw badBody([{ pointer: '', message: json.fault.message }]);
  throw badBody([{ pointer: '', message: 'is not JSON in UTF-8' }]);
}

export function toBody(payloads: readonly Payload[]): string {
  return JSON.stringify({
    payloads: payloads.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, toBase64(value)]),
      ),
      data: toBase64(data),
    })),
  });
}

function toBase64(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64');
}

function badBody(faults: ProblemFault[]): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'BadRequest',
    title: 'The body is not a list of payloads',
    detail: 'The body cannot be read.',
    advice: 'Send {"payloads": […]}, as the Temporal UI and CLI do: check their codec endpoint.',
    faults,
  });
}
