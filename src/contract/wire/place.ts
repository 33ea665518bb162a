/** Project and region of a cloud call. */
export interface Place {
  projectId: number;
  regionId: number;
}
