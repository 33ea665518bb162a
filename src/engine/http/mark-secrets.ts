import { formsOf } from './secret-forms.js';

/**
 * A part of a secret with this length counts as the secret: error texts cut what they repeat, at the
 * beginning or at the end. A shorter secret counts as a whole.
 */
export const PART_LENGTH = 8;

/** The places of the parts of all texts, by the part. */
type Index = Map<string, Place[]>;

interface Place {
  text: number;
  at: number;
}

/**
 * Marks with 1, for each folded text, the characters that belong to a form of a secret or to a part of
 * one. The texts are short, but secrets may be long and many: so the texts are indexed.
 */
export function markSecrets(texts: readonly string[], secrets: readonly string[]): Uint8Array[] {
  const marks = texts.map((text) => new Uint8Array(text.length));
  const index = indexParts(texts);
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      if (form.length >= PART_LENGTH) markParts(form, index, marks);
      else for (const [at, text] of texts.entries()) markAll(text, form, marks[at]);
    }
  }
  return marks;
}

/** Marks every occurrence of the form. */
export function markAll(text: string, form: string, marks: Uint8Array = new Uint8Array()): void {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    marks.fill(1, at, at + form.length);
  }
}

function indexParts(texts: readonly string[]): Index {
  const index = new Map<string, Place[]>();
  texts.forEach((content, text) => {
    for (let at = 0; at + PART_LENGTH <= content.length; at++) {
      const part = content.slice(at, at + PART_LENGTH);
      const places = index.get(part);
      if (places === undefined) index.set(part, [{ text, at }]);
      else places.push({ text, at });
    }
  });
  return index;
}

/** A part that was found once is marked everywhere, so nobody has to look for it again. */
function markParts(form: string, index: Index, marks: readonly Uint8Array[]): void {
  for (let from = 0; from + PART_LENGTH <= form.length && index.size > 0; from++) {
    const part = form.slice(from, from + PART_LENGTH);
    const places = index.get(part);
    if (places === undefined) continue;
    for (const { text, at } of places) marks[text]?.fill(1, at, at + PART_LENGTH);
    index.delete(part);
  }
}
