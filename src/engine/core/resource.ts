/** Something at the API that a run created or adopted and that exists or may exist. */
export interface Resource {
  kind: string;
  id: string;
}
