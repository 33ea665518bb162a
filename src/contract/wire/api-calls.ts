/**
 * What `callApi` may call. An operator lists it (`GCORE_CALL_API` of the worker), and nothing else is sent or read for
 * an input that names its own path.
 */

export const CALL_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
type CallMethod = (typeof CALL_METHODS)[number];

/** A call as the list judges it. A look is a `GET`. */
export interface JudgedCall {
  method: CallMethod | 'GET';
  path: string;
}

export const MAX_PATH_LENGTH = 500;

/**
 * Only what every reader of a URL leaves as it is: no percent sign, so nothing is decoded later into a slash or a dot; no
 * segment that is empty or begins with a dot; no query, fragment, host or backslash. The cloud area alone answers with tasks.
 */
const PATH = /^\/cloud\/v\d{1,3}(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

export function isCloudPath(path: string): boolean {
  return path.length <= MAX_PATH_LENGTH && PATH.test(path);
}

const ANY = '*';
const PATTERN = /^(?:GET|POST|PUT|PATCH|DELETE) (?<path>\/cloud\/v\d{1,3}\/\S+)$/;

/** Such as `POST /cloud/v1/volumes/*\/*`: a star is one whole segment. */
export function isCallPattern(text: string): boolean {
  const path = PATTERN.exec(text)?.groups?.['path'];
  const segments = path?.split('/').map((segment) => (segment === ANY ? 'any' : segment));
  return segments !== undefined && isCloudPath(segments.join('/'));
}

/** Whether a pattern names the call: the same method, and each segment the same or a star. */
export function isListed(patterns: readonly string[], { method, path }: JudgedCall): boolean {
  if (!isCloudPath(path)) return false;
  const segments = path.split('/');
  return patterns.some((pattern) => {
    const [verb, listed = ''] = pattern.split(' ');
    const wanted = listed.split('/');
    return (
      verb === method &&
      wanted.length === segments.length &&
      wanted.every((part, at) => part === ANY || part === segments[at])
    );
  });
}

/** What is wrong with a call that no pattern names, and who can mend it. */
export function describeUnlisted({ method, path }: JudgedCall): string {
  return `${method} ${path} is not among the calls that the worker may make for an input`;
}

export function adviceForUnlisted({ method, path }: JudgedCall): string {
  return `Whoever runs the worker can add "${method} ${path}" to its GCORE_CALL_API; a "*" there stands for one segment of a path.`;
}
