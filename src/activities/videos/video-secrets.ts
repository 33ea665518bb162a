import type { SentVideoItem } from '../../contract/api/streaming.js';

/** Shorter parts of a header or a query are common words. */
const MIN_PART_LENGTH = 4;

/** The credentials of an item: of its source and of its poster, whole and in their parts. */
export function videoSecrets(item: SentVideoItem): string[] {
  const urls = [item.origin_url, item.remote_poster_url, item.share_url, item.custom_iframe_url];
  return [
    ...headerSecrets(item.origin_http_headers ?? ''),
    ...urls.flatMap((url) => urlSecrets(url ?? '')),
  ];
}

/** `Authorization: Bearer abc` → also `Bearer abc` and `abc`; of cookies also each value. */
function headerSecrets(header: string): string[] {
  const value = header.slice(header.indexOf(':') + 1).trim();
  const words = value.split(/[\s;,]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  return [header, value, ...words.flatMap((word) => [word, ...basicSecrets(word)])].filter(isPart);
}

/** Bytes that are not the UTF-8 of a text. */
// eslint-disable-next-line no-control-regex
const NO_TEXT = /[\u0000-\u001f\ufffd]/;

/** The password inside of `dXNlcjpwYXNzd29yZA==`. */
function basicSecrets(word: string): string[] {
  const decoded = Buffer.from(word, 'base64').toString();
  const password = decoded.slice(decoded.indexOf(':') + 1);
  const isPair = password !== '' && decoded.indexOf(':') > 0;
  return isPair && !NO_TEXT.test(decoded) ? [decoded, password] : [];
}

/** The user name and the password of a URL, its query and each value of it. */
function urlSecrets(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, search, hash, searchParams } = new URL(text);
  const account = [`${username}:${password}`, password, decodeSafely(password)];
  return [
    ...(password === '' ? [] : account),
    ...[username, search.slice(1), hash.slice(1), ...searchParams.values()].filter(isPart),
    ...search.slice(1).split('&').filter(isPart),
    // A short password counts too.
  ].filter((part) => part !== '' && part !== ':');
}

function isPart(text: string): boolean {
  return text.length >= MIN_PART_LENGTH;
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
