/** A part of the API that can stop answering while the others go on. */
export interface CircuitName {
  /** The first part of a path, such as `cloud`. Each area is a separate service. */
  area: string;
  /** Of the area `cloud`, where the path names one. Tasks and other global calls have none. */
  region?: number;
}

/** What a call asks for, within its circuit. */
export interface Target {
  /** Such as `instances` or `ddos`. */
  collection: string;
  /** One thing, with all that is below it: `instances/17/0a1b`, `kv/5`. A collection is a thing too: `instances/17`. */
  resource: string;
  /** The resource is the collection itself: its list, or where its things are made. */
  isCollection: boolean;
}

export interface Place extends Target {
  circuit: CircuitName;
}

/** Most paths: `/cloud/v1/<collection>/<project>/<region>/<id>…` */
const IN_REGION = /^cloud\/v\d+\/(\D+\/\d+)\/(\d+)((?:\/[^/]+)?)/;
/** Some of the DDoS protection: `…/<region>` */
const OF_REGION =
  /^cloud\/v\d+\/(ddos\/(?:region_coverage|accessibility|profile-templates))\/(\d+)$/;
const VERSION = /^v\d+$/;

export function placeOf(path: string): Place {
  const plain = path.replace(/^\/+/, '');
  const [area = '', ...rest] = plain.split('/');
  const [, inRegion, region, id = ''] = IN_REGION.exec(plain) ?? OF_REGION.exec(plain) ?? [];
  const [collection = '', ...below] = rest.filter(
    (part, index) => index > 0 || !VERSION.test(part),
  );
  return {
    circuit: { area, ...(region !== undefined && { region: Number(region) }) },
    collection,
    resource: inRegion === undefined ? [collection, ...below].slice(0, 2).join('/') : inRegion + id,
    isCollection: inRegion === undefined ? below.length === 0 : id === '',
  };
}

/** `cloud`, `cloud in region 76` */
export function describeCircuit({ area, region }: CircuitName): string {
  return region === undefined ? area : `${area} in region ${region}`;
}
