import { z } from 'zod';

import { cutText } from '../../engine/core/cut-text.js';
import { firstThatFit } from '../../engine/core/first-that-fit.js';

/** Longest id of the API. UUIDs have 36 characters; a longer id is no answer that a run can use. */
const MAX_ID_LENGTH = 128;
/** Names, statuses and types. */
export const MAX_NAME_BYTES = 300;

/** Prose of the API, such as the error of a task. Histories record it, so it is cut. */
export const apiTextSchema = z.string().transform((text) => cutText(text));

/** A name, status or type that the API shows. */
export const apiNameSchema = z.string().transform((text) => cutText(text, MAX_NAME_BYTES));

/** An id of the API. A cut id would name something else, so a longer one is refused. */
export const apiIdSchema = z.string().max(MAX_ID_LENGTH);

/** 150 UUIDs. A create call makes one instance and its volumes. */
const MAX_IDS_BYTES = 6_000;

/** The first ids of a list. Other tasks of the account may have made hundreds of things. */
export function firstIds<T extends string | number>(list: z.ZodType<T[]>) {
  return list.transform((ids) => firstThatFit(ids, MAX_IDS_BYTES));
}
