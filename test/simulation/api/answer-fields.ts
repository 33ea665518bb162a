import { isRow, type Row } from './api-answer.js';
import { ANSWER_FIELDS } from './answer-fields-data.js';

/** A field of an answer that need not be there. */
export interface OpenField {
  /** Such as `results[].attachments[].server_id`. */
  path: string;
  /** `[]` stands for every item of a list. */
  steps: readonly string[];
  mayBeNull: boolean;
  mayBeMissing: boolean;
}

const FIELDS = readFields(ANSWER_FIELDS);

/** The fields that need not be there in the answer to a call, such as `GET /cloud/v1/tasks/…`. */
export function openFieldsOf(method: string, template: string): readonly OpenField[] {
  return FIELDS.get(`${method} ${template}`) ?? [];
}

function readFields(text: string): ReadonlyMap<string, readonly OpenField[]> {
  const fields = new Map<string, OpenField[]>();
  let ofCall: OpenField[] = [];
  for (const line of text.trim().split('\n')) {
    if (line.startsWith(' ')) ofCall.push(...line.trim().split(' ').map(readField));
    else fields.set(line, (ofCall = []));
  }
  return fields;
}

function readField(text: string): OpenField {
  const path = text.replace(/[?0]+$/, '');
  return {
    path,
    steps: path.replaceAll('[]', '.[]').split('.').filter(Boolean),
    mayBeNull: text.endsWith('0'),
    mayBeMissing: text.slice(path.length).startsWith('?'),
  };
}

/** Where a field stands: all objects of the answer that have it, and not as null. */
export function holdersOf(json: unknown, { steps }: Pick<OpenField, 'steps'>): Row[] {
  const name = steps.at(-1) ?? '';
  return valuesAt(json, steps.slice(0, -1)).flatMap((value) =>
    isRow(value) && value[name] !== undefined && value[name] !== null ? [value] : [],
  );
}

function valuesAt(json: unknown, steps: readonly string[]): unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [json];
  if (step === '[]') {
    return Array.isArray(json) ? json.flatMap((item) => valuesAt(item, rest)) : [];
  }
  return isRow(json) ? valuesAt(json[step], rest) : [];
}
