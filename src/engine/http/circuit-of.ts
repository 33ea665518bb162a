/** A part of the API that can stop answering while the others go on. */
export interface CircuitName {
  /** Such as `cloud`. Each area is a separate service. */
  area: string;
  /** Of an area that has regions, for calls that go to one. */
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

/** `cloud`, `cloud in region 76` */
export function describeCircuit({ area, region }: CircuitName): string {
  return region === undefined ? area : `${area} in region ${region}`;
}
