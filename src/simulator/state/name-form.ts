/** In which form the names of videos are stored. The API does not document it; stores are known for each of these. */
export const NameForm = {
  asGiven: 'as-given',
  /** Accents are joined with their letters (Unicode NFC). */
  composed: 'composed',
  /** White space is squeezed and trimmed. */
  squeezed: 'squeezed',
  /** Ends before the first character of four bytes. */
  cutAtEmoji: 'cut-at-emoji',
  /** Has 255 characters at most. */
  short: 'short',
} as const;
export type NameForm = (typeof NameForm)[keyof typeof NameForm];

const MOST_CHARACTERS = 255;

const FORMS: Readonly<Record<NameForm, (name: string) => string>> = {
  'as-given': (name) => name,
  composed: (name) => name.normalize('NFC'),
  squeezed: (name) => name.replaceAll(/\s+/gu, ' ').trim(),
  'cut-at-emoji': (name) => name.split(/[\u{10000}-\u{10FFFF}]/u, 1).join(''),
  short: (name) => name.slice(0, MOST_CHARACTERS),
};

export function storedName(name: string, form: NameForm): string {
  return FORMS[form](name);
}
