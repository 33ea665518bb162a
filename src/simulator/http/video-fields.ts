import type { OpenFacts } from '../state/open-facts.js';
import { badRequestError } from './cloud-error.js';

/** The fields to which `fields` can narrow an answer. `error` and `client_user_id` are not among them. */
const FIELDS = [
  'id',
  'name',
  'duration',
  'status',
  'created_at',
  'updated_at',
  'hls_url',
  'screenshots',
  'converted_videos',
  'priority',
] as const;

/** Narrows videos to the fields that a query names. Where it names none that is known, they stay whole. */
export function chosen(
  { unknownFields }: Pick<OpenFacts, 'unknownFields'>,
  text = '',
  others: readonly string[] = [],
): (video: object) => object {
  const known: readonly string[] = [...FIELDS, ...others];
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0 && unknownFields === 'refused') {
    throw badRequestError(`fields cannot have ${unknown.join(', ')}`);
  }
  const wanted = names.filter((name) => known.includes(name));
  if (wanted.length === 0) return (video) => video;
  return (video) =>
    Object.fromEntries(Object.entries(video).filter(([name]) => wanted.includes(name)));
}
