/** What the HTTP client of the engine is told of the API of Gcore. */
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
}

export function createApiClient({ authScheme = 'apikey', ...options }: ApiClientOptions) {
  const authorize = (key: string) => ({ authorization: `${authScheme} ${key}` });
  return http.createApiClient({ ...options, api: { ...GCORE_API, authorize } });
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
  const [area = '', ...rest] = plain.split('/');
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
