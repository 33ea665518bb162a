/** Project and region of a cloud call. */
export interface Place {
  projectId: number;
  regionId: number;
}

/** `/cloud/v1/volumes/1/2` */
export function cloudPath(collection: string, { projectId, regionId }: Place): string {
  return `/cloud/v1/${collection}/${projectId}/${regionId}`;
}

/** Query value of `tag_key_value`: a JSON object as text (guide on tags). */
export function tagFilter(key: string, value: string): string {
  return JSON.stringify({ [key]: value });
}
