import { z } from 'zod';

import {
  BATCH_OF,
  GROUP,
  isLabelName,
  isLabelValue,
  LABEL_NAME_RULE,
  LABEL_VALUE_RULE,
  MAX_LABELS,
} from '../core/labels.js';

const nameSchema = z
  .string()
  .refine(isLabelName, {
    error: LABEL_NAME_RULE,
  })
  .refine((name) => name !== BATCH_OF, { error: 'is a label that batches get by themselves' });
const valueSchema = z.string().refine(isLabelValue, {
  error: LABEL_VALUE_RULE,
});

/** Labels of a run. Few, because each is written into every change of the search attributes. */
export const labelsSchema = z
  .record(z.string(), z.string())
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, {
    error: `must be at most ${MAX_LABELS} labels: "${GROUP}" and ten others`,
    // To judge each of thousands would cost more than a request may.
    abort: true,
  })
  .pipe(z.record(nameSchema, valueSchema));
