/** The outcome of a request. The transport decides what a dropped connection looks like. */
export type Outcome =
  { kind: 'answered'; response: Response } | { kind: 'dropped' } | { kind: 'hung' };
