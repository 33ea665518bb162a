import type { Volume } from '../contract/api/volumes.js';

/** The ids of the instances that have a volume; nothing where the answer does not say which. */
export function attachedTo({ attachments }: Volume): { attachedTo?: string[] } {
  const ids = attachments?.map(({ server_id: id }) => id) ?? [undefined];
  const known = ids.filter((id) => typeof id === 'string');
  return known.length === ids.length ? { attachedTo: known } : {};
}
