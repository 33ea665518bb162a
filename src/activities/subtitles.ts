import { createHash } from 'node:crypto';

import {
  shownSubtitleSchema,
  subtitleListSchema,
  type ShownSubtitle,
} from '../contract/api/videos.js';
import { MAX_NAME_BYTES } from '../contract/api/errors.js';
import { paths } from '../contract/wire/paths.js';
import { cutText } from '../engine/core/text.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { getOne, getPage, unlessNotFound } from './cloud-calls.js';
import { isSameLanguage, mayBeNamed, squeezed } from '../contract/wire/stored-form.js';

export interface WantedSubtitles {
  videoId: number;
  name: string;
  language: string;
  /** Of their text, see `subtitleDigest`: no look stores the text in a history again. */
  digest: string;
  /** Of some that count whatever their name is. */
  subtitleId?: number | undefined;
}

/** Subtitles in the wanted language whose name is the wanted one, or may be what a store has made of it. */
export interface SimilarSubtitles {
  id: number;
  name: string;
  /**
   * `as asked`: name, language and text. `other`: the name with another text. `similar`: they may be those, as a store has changed
   * them, or as far as the API shows them.
   */
  fit: 'as asked' | 'other' | 'similar';
}

export interface FoundSubtitles {
  /** Those as asked first; no more than a message names. */
  subtitles: SimilarSubtitles[];
}

const MAX_FOUND = 20;

/** Reads the list, and one by one those in question of which the list does not show all: it need not. */
export async function readSimilarSubtitles(
  reads: ApiClient,
  wanted: WantedSubtitles,
): Promise<FoundSubtitles> {
  const { videoId, name, language, subtitleId } = wanted;
  const rows = await getPage(reads, paths.videoSubtitles(videoId), {
    response: subtitleListSchema,
  });
  // What is not shown may be as asked: to take it for something else would add the same again.
  const candidates = rows.filter(
    (row) =>
      row.id === subtitleId ||
      (isSameLanguage(language, row.language ?? language) !== false &&
        mayBeNamed(name, row.name ?? name)),
  );
  const subtitles: SimilarSubtitles[] = [];
  for (const row of candidates) {
    const whole = isWhole(row) ? row : await readOne(reads, videoId, row);
    const fit = whole && fitOf(whole, wanted);
    if (fit !== undefined) {
      subtitles.push({ id: row.id, name: cutText(row.name ?? '', MAX_NAME_BYTES), fit });
    }
  }
  subtitles.sort((a, b) => Number(b.fit === 'as asked') - Number(a.fit === 'as asked'));
  return { subtitles: subtitles.slice(0, MAX_FOUND) };
}

/** `undefined` when somebody has deleted them since the list was read: that says nothing about the video. */
function readOne(
  reads: ApiClient,
  videoId: number,
  { id }: ShownSubtitle,
): Promise<ShownSubtitle | undefined> {
  return unlessNotFound(getOne(reads, paths.videoSubtitle(videoId, id), shownSubtitleSchema));
}

function isWhole({ name, language, vtt }: ShownSubtitle): boolean {
  return [name, language, vtt].every((text) => typeof text === 'string');
}

function fitOf(
  { id, name, language, vtt }: ShownSubtitle,
  wanted: WantedSubtitles,
): SimilarSubtitles['fit'] | undefined {
  const isLanguage = isSameLanguage(wanted.language, language ?? wanted.language);
  if (isLanguage === false && id !== wanted.subtitleId) return undefined;
  const mayBeText = typeof vtt !== 'string' || subtitleDigest(vtt) === wanted.digest;
  const isName = typeof name === 'string' && squeezed(name) === squeezed(wanted.name);
  const isShown = typeof language === 'string' && typeof vtt === 'string';
  if (isName && isShown && isLanguage !== undefined) return mayBeText ? 'as asked' : 'other';
  return mayBeText ? 'similar' : undefined;
}

/**
 * Stands for the text of subtitles, whatever its ends of lines are. An open run compares with one that was made when it
 * began: never change it.
 */
export function subtitleDigest(vtt: string): string {
  return digestOf(
    vtt
      .replace(/^\uFEFF/, '')
      .replaceAll(/\r\n?/g, '\n')
      .trimEnd(),
  );
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
