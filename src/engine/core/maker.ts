/**
 * The run that made a resource, as the tag `MAKER_TAG` names it: `<namespace id>/<Run Id>`. The id of a
 * Temporal namespace is unique: namespaces of the same name on two clusters have two ids, and a namespace
 * keeps its id when another cluster takes it over.
 */
export function toMaker(namespaceId: string, runId: string): string {
  return `${namespaceId}/${runId}`;
}

export function runIdOf(maker: string): string {
  return maker.slice(maker.lastIndexOf('/') + 1);
}

export function namespaceIdOf(maker: string): string {
  return maker.slice(0, maker.lastIndexOf('/'));
}
