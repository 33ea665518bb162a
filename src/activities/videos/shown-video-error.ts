import { cutText } from '../../engine/core/cut-text.js';
import { redact } from '../../engine/http/secrets.js';

/** The texts that the guide on the states of a video names. */
const KNOWN_TEXTS = [
  'Encoding has failed',
  'Unable to analyze the origin file',
  'Unable to validate video file',
  'Video file is invalid',
  'The storage limit has been exceeded',
  'Access to the origin is forbidden',
  'Connection reset by peer',
  'Network timeout occurred',
  'The downloaded file is incomplete',
  'The requested origin was not found',
  'no reason given',
] as const;

const MAX_TEXT_BYTES = 200;
const WITHHELD_VIDEO_ERROR =
  'The text is withheld, because it may repeat credentials of the manifest: read "error" of the video at the API';

/**
 * The error text of a video as it leaves the activity. It may repeat the credentials of its source, and
 * those of a manifest are unknown here: then only a text of the guide leaves, without what follows it.
 */
export function shownVideoError(text: string, { isInline }: { isInline: boolean }): string {
  const known = KNOWN_TEXTS.find((candidate) => text.includes(candidate));
  if (text === known || !isInline) return known ?? WITHHELD_VIDEO_ERROR;
  return cutText(redact(text, []), MAX_TEXT_BYTES);
}
