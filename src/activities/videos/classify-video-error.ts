/** Why a video failed, by what a person should do. `class` of a failed item. */
export const ItemFailure = {
  originForbidden: 'origin-forbidden',
  originNotFound: 'origin-not-found',
  /** The source closed the connection, was too slow, or sent too little: try again. */
  originConnection: 'origin-connection',
  badFile: 'bad-file',
  encoding: 'encoding',
  storageLimit: 'storage-limit',
  /** An unknown text. */
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
