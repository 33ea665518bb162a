/** What runs have in common, in the caller's words: `{ group: 'incident-42', team: 'media' }`. */
export type Labels = Readonly<Record<string, string>>;

/** The label of runs that were started together. */
export const GROUP = 'group';

/** The operation of the items of a batch: the run of the batch has this label, and nobody else gives it. */
export const BATCH_OF = 'batch-of';

/** The group, and ten others: together they fit into one search attribute. */
export const MAX_LABELS = 11;

const NAME = /^[a-z][a-z0-9._-]{0,31}$/;
/** Needs no quotes in a shell, a list filter or an address. */
const VALUE = /^[\w.:/@+-]{1,63}$/;

/** For an error text. */
export const LABEL_VALUE_RULE =
  'must be 1 to 63 of the letters a-z and A-Z, digits, and any of ". _ : / @ + -"';
export const LABEL_NAME_RULE =
  'must be 1 to 32 of the letters a-z, digits, and any of ". _ -", and begin with a letter';

export function isLabelName(text: string): boolean {
  return NAME.test(text);
}

export function isLabelValue(text: string): boolean {
  return VALUE.test(text);
}

/** As the search attribute has them: `group=incident-42`. */
export function searchableLabels(labels: Labels): string[] {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
}
