import { parseArgs } from 'node:util';

import { z } from 'zod';

import { FaultName, unknownFault } from '../contract/wire/fault-names.js';
import { formatFaults } from '../engine/core/faults.js';
import { type ParsedInput, parseInput } from '../engine/schema/parse-input.js';
import { DEFAULT_API_KEY } from './create-simulator.js';
import { factListSchema, OPEN_FACTS } from './state/open-facts.js';

const WHOLE_NUMBER = /^\d+$/;

const argumentsSchema = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  port: z
    .string()
    .regex(WHOLE_NUMBER, { error: 'must be a whole number' })
    .default('8081')
    .transform(Number)
    .refine((port) => port <= 65_535, { error: 'must be at most 65535' }),
  'time-scale': z
    .string()
    .regex(/^\d+(\.\d+)?$/, { error: 'must be a number of at least 0, such as 0.1' })
    .default('1')
    .transform(Number),
  'api-key': z.string().regex(/^\S+$/, { error: 'must be one word' }).default(DEFAULT_API_KEY),
  seed: z
    .string()
    .regex(WHOLE_NUMBER, { error: 'must be a whole number' })
    .default('1')
    .transform(Number),
  state: z.string().min(1).optional(),
  fact: factListSchema.prefault([]),
  fault: z
    .array(z.enum(FaultName, { error: ({ input }) => unknownFault(String(input)) }))
    .default([]),
});
export type SimulatorArguments = z.infer<typeof argumentsSchema>;

export const USAGE = `usage: simulator [options]
  --host HOST           address to listen on; default: 127.0.0.1
  --port PORT           port to listen on, 0 for any free one; default: 8081
  --time-scale FACTOR   factor on all durations, 0.1 is ten times as fast; default: 1
  --api-key KEY         the only key that is accepted; default: ${DEFAULT_API_KEY}
  --seed NUMBER         the same seed gives the same durations; default: 1
  --state FILE          starts from this state, as GET /simulator/state gives it
  --fact NAME=VALUE     decides what no document says; may be repeated: ${OPEN_FACTS.map(({ name }) => name).join(', ')}
  --fault NAME          starts with a fault: ${Object.values(FaultName).join(', ')}; may be repeated
  -h, --help            print this help`;

export type ParsedArguments =
  { ok: true; value: SimulatorArguments | 'help' } | { ok: false; message: string };

/** Parses the command line. The error message lists every fault. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        host: { type: 'string' },
        port: { type: 'string' },
        'time-scale': { type: 'string' },
        'api-key': { type: 'string' },
        seed: { type: 'string' },
        state: { type: 'string' },
        fact: { type: 'string', multiple: true },
        fault: { type: 'string', multiple: true },
      },
    });
    const { help, ...settings } = values;
    if (help) return { ok: true, value: 'help' };
    return toResult(parseInput(argumentsSchema, settings));
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function toResult(parsed: ParsedInput<SimulatorArguments>) {
  return parsed.ok
    ? parsed
    : ({ ok: false, message: `Wrong arguments:\n${formatFaults(parsed.faults)}` } as const);
}
