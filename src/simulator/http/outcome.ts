/** What becomes of a request. How a dropped connection looks is up to the transport. */
export type Outcome =
  { kind: 'answered'; response: Response } | { kind: 'dropped' } | { kind: 'hung' };
