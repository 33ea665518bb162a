import { fileURLToPath } from 'node:url';

import type { DataConverter } from '@temporalio/common';

import type { Codec } from './codec.js';

/** The module that hides the texts of failures in payloads. Found from the bundle of the command line too. */
const ENCODED_FAILURES = fileURLToPath(new URL('../codec/encoded-failures.js', import.meta.url));

/** What a worker or a replayer converts with. Without keys the texts of failures stay readable in the Temporal UI. */
export function toDataConverter(codec: Codec): DataConverter {
  return {
    payloadCodecs: [codec],
    ...(codec.hasKeys && { failureConverterPath: ENCODED_FAILURES }),
  };
}
