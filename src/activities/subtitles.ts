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
import { mayBeNamed } from './stored-form.js';

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
   * `as asked`: name and text. `other`: the name with another text. `similar`: the text under a name that may be the wanted
   * one as a store has changed it.
   */
  fit: 'as asked' | 'other' | 'similar';
}

export interface FoundSubtitles {
  /** Those as asked first; no more than a message names. */
  subtitles: SimilarSubtitles[];
}

const MAX_FOUND = 20;

/** Reads the list, and one by one those in question whose text the list does not show: it need not. */
export async function readSimilarSubtitles(
  reads: ApiClient,
  wanted: WantedSubtitles,
): Promise<FoundSubtitles> {
  const { videoId, name, language, subtitleId } = wanted;
  const rows = await getPage(reads, paths.videoSubtitles(videoId), {
    response: subtitleListSchema,
  });
  const candidates = rows.filter(
    (row) =>
      row.id === subtitleId || (row.language === language && mayBeNamed(name, row.name ?? '')),
  );
  const subtitles: SimilarSubtitles[] = [];
  for (const row of candidates) {
    const whole = typeof row.vtt === 'string' ? row : await readOne(reads, videoId, row);
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

function fitOf(
  { name, vtt }: ShownSubtitle,
  wanted: WantedSubtitles,
): SimilarSubtitles['fit'] | undefined {
  const isText = subtitleDigest(vtt ?? '') === wanted.digest;
  if (squeezed(name ?? '') === squeezed(wanted.name)) return isText ? 'as asked' : 'other';
  return isText ? 'similar' : undefined;
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

/** The form in which stores may write a name: accents joined with their letters, no needless white space. */
export function squeezed(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}
