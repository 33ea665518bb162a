/** A part of the API that can stop answering while the others go on. */
export interface CircuitName {
  /** The first part of a path, such as `cloud`. Each area is a separate service. */
  area: string;
  /** Of the area `cloud`, where the path names one. Tasks and other global calls have none. */
  region?: number;
}

/** Most paths: `/cloud/v1/<collection>/<project>/<region>/…`; some of the DDoS protection: `…/<region>`. */
const REGIONS: readonly RegExp[] = [
  /^cloud\/v\d+\/\D+\/\d+\/(\d+)(?:\/|$)/,
  /^cloud\/v\d+\/ddos\/(?:region_coverage|accessibility|profile-templates)\/(\d+)$/,
];

export function circuitOf(path: string): CircuitName {
  const plain = path.replace(/^\/+/, '');
  const [area = ''] = plain.split('/');
  const region = REGIONS.map((form) => form.exec(plain)?.[1]).find((found) => found !== undefined);
  return { area, ...(region !== undefined && { region: Number(region) }) };
}

/** `cloud`, `cloud in region 76` */
export function describeCircuit({ area, region }: CircuitName): string {
  return region === undefined ? area : `${area} in region ${region}`;
}
