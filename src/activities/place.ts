/** Project and region of a cloud call. */
export interface Place {
  projectId: number;
  regionId: number;
}

/** The most that a list of the cloud area gives in one page; the default of some is 10. */
export const LIST_LIMIT = 1_000;

/** `/cloud/v1/volumes/1/2` */
export function cloudPath(collection: string, { projectId, regionId }: Place): string {
  return `/cloud/v1/${collection}/${projectId}/${regionId}`;
}

/** Query value of `tag_key_value`: a JSON object as text (guide on tags). */
export function tagFilter(key: string, value: string): string {
  return JSON.stringify({ [key]: value });
}
