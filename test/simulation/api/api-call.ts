import type { SimulatedProcess } from '../time/processes.js';

/** A call on its way to the API. */
export interface ApiCall {
  method: string;
  url: string;
  /** With its query. */
  path: string;
  query: string;
  /** The path with `…` for each id and address. */
  template: string;
  /** The first part of the path, such as `cloud`. */
  area: string;
  /** The last part of the path: the id of what is meant, or the name of a list. */
  last: string;
  /** As it was sent. */
  body: string | undefined;
  headers: Headers;
  workflowId: string | undefined;
  /** Who sent it: a Workflow Id, or the name of a process. */
  caller: string;
  /** Such as `GET /cloud/v1/tasks/… #3 of provision-7`. No other call has it. */
  occasion: string;
  /** It may change something. */
  isMutation: boolean;
  /** A GET of something by its id. */
  isOfOne: boolean;
  process: SimulatedProcess | undefined;
}

/** Posts that change nothing: they ask. */
const ASKS = /\/check_limits$|\/available_flavors$|^\/cloud\/v\d\/pricing\//;
const ID =
  /^(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d+\.\d+\.\d+\.\d+|[\da-f]*:[\da-f:]+)$/i;
/** Lists whose paths end with numbers: those of a project and region, and those of one of them. */
const LIST_OF_PLACE =
  /^\/cloud\/v\d\/(?:(?:ddos\/profiles|[a-z_]+)\/…\/…|ssh_keys\/…|ddos\/[a-z_-]+\/…)$/;
/** The worker names its run in brackets. */
const RUN = / \((.+)\)$/;

/** Gives calls their names, and counts those that have the same. */
export function createCallReader() {
  const seen = new Map<string, number>();
  return (
    input: string | URL | Request,
    init: RequestInit | undefined,
    process: SimulatedProcess | undefined,
  ): ApiCall => {
    const { url, method, headers, body } = partsOf(input, init);
    const { pathname, search } = new URL(url);
    const template = templateOf(pathname);
    const workflowId = workflowIdOf(headers.get('user-agent') ?? '');
    const caller = workflowId ?? process?.name ?? 'somebody';
    const key = `${method} ${template} of ${caller}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return {
      method,
      url,
      path: pathname + search,
      query: search,
      template,
      area: template.split('/', 2)[1] ?? '',
      last: pathname.slice(pathname.lastIndexOf('/') + 1),
      body,
      headers,
      workflowId,
      caller,
      occasion: `${method} ${template} #${count} of ${caller}`,
      isMutation: method !== 'GET' && !ASKS.test(template),
      isOfOne: method === 'GET' && template.endsWith('…') && !LIST_OF_PLACE.test(template),
      process,
    };
  };
}

function partsOf(input: string | URL | Request, init: RequestInit | undefined) {
  const { method = 'GET', headers, body } = init ?? {};
  const isRequest = typeof input !== 'string' && 'headers' in input;
  return {
    url: isRequest ? input.url : String(input),
    method: isRequest ? input.method : method.toUpperCase(),
    headers: new Headers(headers ?? (isRequest ? input.headers : undefined)),
    body: typeof body === 'string' ? body : undefined,
  };
}

function workflowIdOf(userAgent: string): string | undefined {
  const [, run] = RUN.exec(userAgent) ?? [];
  return run === undefined ? undefined : decodeURI(run);
}

/** Keys of KV data are names that a user chose: they are ids too. */
const KV_KEY = /(\/kv\/…\/data\/)[^/]+$/;

function templateOf(pathname: string): string {
  const parts = pathname.split('/').map((part) => (ID.test(part) ? '…' : part));
  return parts.join('/').replace(KV_KEY, '$1…');
}

const LONGEST_ID = 8;
const LONGEST_PATH = 110;

/** The path for a person: long ids are cut. */
export function shortPath({ path }: ApiCall): string {
  const short = path.replaceAll(
    /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi,
    (id) => `…${id.slice(-LONGEST_ID)}`,
  );
  return short.length > LONGEST_PATH ? `${short.slice(0, LONGEST_PATH)}…` : short;
}
