import { json } from '../support/http/scripted-api.js';

/** A page of an API whose pages of videos are smaller than asked for. */
export function videosInPages({ url }: Request): Response {
  const page = Number(new URL(url).searchParams.get('page'));
  const rows = Array.from({ length: 10 }, (_, at) => (page - 1) * 10 + at + 1);
  return json(rows.map((id) => ({ id, status: 'ready' })));
}
