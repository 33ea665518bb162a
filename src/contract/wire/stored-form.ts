/** Shorter texts are not cut for their length. */
const SHORTEST_CUT = 50;

/** Where stores without four-byte characters cut a text, or where they lose a character. */
const FRAGILE = /^\s*[^\p{L}\p{N}\p{P}\p{Z}]/u;

/**
 * Whether a store may have made this of a text: it may change the form of letters, squeeze white space, lose or
 * replace symbols, and cut a text. A hint that tells candidates apart, and never a proof: other texts look so too.
 */
export function mayBeStoredAs(given: string, stored: string): boolean {
  if (lettersOf(given) === lettersOf(stored)) return true;
  const [whole, part] = [squeezed(given), squeezed(stored)];
  if (!whole.startsWith(part)) return false;
  return part.length >= SHORTEST_CUT || FRAGILE.test(whole.slice(part.length));
}

/** The same of a short name. Stores of names may also write them in lower case, or for HTML. */
export function mayBeNamed(given: string, stored: string): boolean {
  const plain = (text: string): string => text.replaceAll(ENTITY, '').toLowerCase();
  return mayBeStoredAs(plain(given), plain(stored));
}

const ENTITY = /&(?:[a-z]+|#\d+);/gi;

/** What hardly any store changes. */
export function lettersOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The form in which stores may write a text: accents joined with their letters, no needless white space. */
export function squeezed(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

/**
 * Whether a store shows this language code as that text: codes of two and of three letters, with a region or without, name the
 * same language. `undefined`: it is no code, and may name any.
 */
export function isSameLanguage(code: string, shown: string): boolean | undefined {
  const language = languageOf(shown);
  return language === undefined ? undefined : language === languageOf(code);
}

const LONGEST_CODE = 3;

function languageOf(text: string): string | undefined {
  try {
    const { language } = new Intl.Locale(text.trim().replaceAll('_', '-'));
    return language.length <= LONGEST_CODE ? language : undefined;
  } catch {
    return undefined;
  }
}
