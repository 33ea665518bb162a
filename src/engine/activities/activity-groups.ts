/** What an account worker runs for one call: one object in, one answer out. */
export type Activity = (input: never) => Promise<unknown>;
export type Group = Readonly<Record<string, Activity>>;

/**
 * The HTTP activities, grouped by what a repeat would do. The engine derives retries, timeouts and
 * parking from the group, so an activity belongs to exactly one.
 */
export interface ActivityGroups {
  /** Reads: harmless to repeat, so Temporal repeats them without end. A plan may call them. */
  reads?: Group;
  /** Deletes of one resource by its id: one attempt each, after a look, see engine/send/until-gone. */
  deletes?: Group;
  /** Changes that would happen twice, or too late: one attempt each, see engine/send/send-once. */
  mutations?: Group;
  /** Changes whose repeat converges: one attempt each, see engine/send/send-until-answered. */
  convergent?: Group;
  /** Reads of many things, or of a large one. They heartbeat; they are repeated without end. */
  longReads?: Group;
  /** Looks that Temporal repeats until what they look at has ended. */
  polls?: Group;
}

export type ActivityKind = keyof ActivityGroups;

/** The group of a kind of which an API has no call. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- unlike `object` it is a `Group`
type NoCalls = Record<never, Activity>;

type GroupOf<T, K extends ActivityKind> = T extends Record<K, infer G> ? G : NoCalls;

type MergedGroup<T extends readonly unknown[], K extends ActivityKind> = T extends readonly [
  infer First,
  ...infer Rest,
]
  ? GroupOf<First, K> & MergedGroup<Rest, K>
  : NoCalls;

type MergedGroups<T extends readonly ActivityGroups[]> = {
  [K in keyof ActivityGroups]-?: MergedGroup<T, K>;
};

/** Groups and nothing beside them. */
type OnlyGroups<T> = T & Record<Exclude<keyof T, ActivityKind>, never>;

/** The activities of several factories by kind. Throws when two of one kind share a name. */
export function mergeGroups<const T extends readonly ActivityGroups[]>(
  ...factories: { [I in keyof T]: OnlyGroups<T[I]> }
): MergedGroups<T>;
export function mergeGroups(...factories: readonly ActivityGroups[]): Required<ActivityGroups> {
  const merge = (kind: ActivityKind): Group => join(factories.map((groups) => groups[kind] ?? {}));
  return {
    reads: merge('reads'),
    deletes: merge('deletes'),
    mutations: merge('mutations'),
    convergent: merge('convergent'),
    longReads: merge('longReads'),
    polls: merge('polls'),
  };
}

type ToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer I,
) => void
  ? I
  : never;

/** The activities of all groups by name. */
export type FlatActivities<G extends Record<ActivityKind, object>> = ToIntersection<
  G[ActivityKind]
>;

/** What a worker registers. Throws when an activity is in two groups. */
export function flattenGroups<G extends Record<ActivityKind, object>>(groups: G): FlatActivities<G>;
export function flattenGroups(groups: Required<ActivityGroups>): Group {
  return join(Object.values(groups));
}

function join(groups: readonly Group[]): Group {
  const entries = groups.flatMap((group) => Object.entries(group));
  const names = entries.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new TypeError(`Two activities have the name ${twice}`);
  return Object.fromEntries(entries);
}
