/** What the HTTP client of the engine is told of the API of Gcore. */
import { paths } from '../contract/wire/paths.js';
import { PRODUCT } from '../contract/wire/product.js';
import { VERSION } from '../contract/version.js';
import type { ApiDescription, Place } from '../engine/http/api-description.js';
import * as http from '../engine/http/api-client.js';
import * as breakers from '../engine/http/circuit-breaker.js';
import { ADVICE } from './advice.js';
import { ERROR_TABLE } from './error-table.js';

export type BreakersOptions = Omit<breakers.BreakersOptions, 'placeOf'>;

export interface ApiClientOptions extends Omit<http.ApiClientOptions, 'api'> {
  /** Word before the key in the Authorization header; official sources spell it in two ways. */
  authScheme?: string;
  /** Where the tasks are; official sources name two places. */
  tasksPath?: string;
}

export function createApiClient({
  authScheme = 'apikey',
  tasksPath = paths.tasks(),
  ...options
}: ApiClientOptions) {
  const authorize = (key: string) => ({ authorization: `${authScheme} ${key}` });
  const client = http.createApiClient({ ...options, api: { ...GCORE_API, authorize } });
  return tasksPath === paths.tasks() ? client : withTasksAt(client, tasksPath);
}

/** Sends what is meant for the tasks to another path. Failures name the path that was called. */
function withTasksAt(client: http.ApiClient, tasksPath: string): http.ApiClient {
  const known = new RegExp(`^${paths.tasks()}(?=/|$)`);
  return {
    ...client,
    request: (asked) => client.request({ ...asked, path: asked.path.replace(known, tasksPath) }),
  };
}

/** A circuit per API area, in the area `cloud` one per region. */
export function createBreakers(options: BreakersOptions = {}) {
  return breakers.createBreakers({ ...options, placeOf });
}

const GCORE_API: Omit<ApiDescription, 'authorize'> = {
  userAgent: `${PRODUCT.name}/${VERSION}`,
  addressSetting: 'GCORE_BASE_URL',
  placeOf,
  errors: ERROR_TABLE,
  advice: ADVICE,
};

/** Most paths: `/cloud/v1/<collection>/<project>/<region>/<id>…` */
const IN_REGION = /^cloud\/v\d+\/(\D+\/\d+)\/(\d+)((?:\/[^/]+)?)/;
/** Some of the DDoS protection: `…/<region>` */
const OF_REGION =
  /^cloud\/v\d+\/(ddos\/(?:region_coverage|accessibility|profile-templates))\/(\d+)$/;
const API_VERSION = /^v\d+$/;

export function placeOf(path: string): Place {
  const plain = path.replace(/^\/+/, '');
  const [first = '', ...after] = plain.split('/');
  // Tasks may be outside of the areas. They are of the cloud.
  const [area, rest] = API_VERSION.test(first) ? ['cloud', [first, ...after]] : [first, after];
  const [, inRegion, region, id = ''] = IN_REGION.exec(plain) ?? OF_REGION.exec(plain) ?? [];
  const [collection = '', ...below] = rest.filter(
    (part, index) => index > 0 || !API_VERSION.test(part),
  );
  return {
    circuit: { area, ...(region !== undefined && { region: Number(region) }) },
    collection,
    resource: inRegion === undefined ? [collection, ...below].slice(0, 2).join('/') : inRegion + id,
    isCollection: inRegion === undefined ? below.length === 0 : id === '',
  };
}
