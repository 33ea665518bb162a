/** Why a video failed, as a person acts on it. `class` of a failed item. */
export const ItemFailure = {
  originForbidden: 'origin-forbidden',
  originNotFound: 'origin-not-found',
  /** The source broke off, was too slow, or sent less than it promised: worth another try. */
  originConnection: 'origin-connection',
  badFile: 'bad-file',
  encoding: 'encoding',
  storageLimit: 'storage-limit',
  /** A text that is not known. */
  other: 'other',
} as const;
export type ItemFailure = (typeof ItemFailure)[keyof typeof ItemFailure];

/** The texts that the guide on the states of a video names. */
const TEXTS: readonly (readonly [RegExp, ItemFailure])[] = [
  [/forbidden/i, ItemFailure.originForbidden],
  [/not found/i, ItemFailure.originNotFound],
  [/reset by peer|network timeout|incomplete/i, ItemFailure.originConnection],
  [/storage limit/i, ItemFailure.storageLimit],
  [/unable to (?:analy[sz]e|validate)|is invalid/i, ItemFailure.badFile],
  [/encoding/i, ItemFailure.encoding],
];

export function classifyVideoError(text: string): ItemFailure {
  return TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? ItemFailure.other;
}
