import { z } from 'zod';

import { operationSchemas, type Operations } from '../../../src/contract/index.js';
import { OPERATIONS } from '../../../src/contract/operations/index.js';

/** An input that is refused, the path of its fault and a part of the message. */
export interface BadInput<O extends keyof Operations = keyof Operations> {
  operation: O;
  name: string;
  input: unknown;
  path: string;
  says: RegExp;
}

/** Makes bad inputs of one operation: the sound input with some fields changed. */
export function badInputsOf<O extends keyof Operations>(operation: O, sound: object) {
  return (name: string, change: object, [path, says]: readonly [string, RegExp]): BadInput<O> => ({
    operation,
    name,
    input: { ...sound, ...change },
    path,
    says,
  });
}

const fieldsSchema = z.object({ required: z.array(z.string()).default([]) });

/** What each operation refuses: its example without a field that it needs, and with one that it does not know. */
export function badInputsFrom(operation: keyof Operations): BadInput[] {
  const { example } = OPERATIONS[operation];
  const schema = z.toJSONSchema(operationSchemas[operation].input, { io: 'input' });
  const changed = badInputsOf(operation, example);
  return [
    ...fieldsSchema
      .parse(schema)
      .required.map((field) =>
        changed(`${operation} without ${field}`, { [field]: undefined }, [field, /is missing/]),
      ),
    changed(`${operation} with an unknown field`, { colour: 'red' }, [
      'colour',
      /not a known field/,
    ]),
  ];
}
