import type { SimulatorState } from '../../../src/simulator/index.js';
import type { Draw } from '../time/draw.js';

/** One call of somebody else, and what it means. */
export interface Action {
  says: string;
  method: string;
  path: string;
  body: unknown;
}

export interface Place {
  projectId: number;
  regionId: number;
}

export interface ActorOptions {
  draw: Draw;
  /** At this moment. */
  state: SimulatorState;
  /** Ids that the runs of this world work on: most actions hit one of them. */
  touched?: ReadonlySet<string>;
  /** Names that requests will give, or look for. */
  names?: readonly string[];
  /** Addresses that requests protect or move. */
  addresses?: readonly string[];
  /** Where something new is made; that of something that exists when left out. */
  place?: Place;
}

/** What somebody sees who is about to act. */
export interface Scene {
  draw: Draw;
  state: SimulatorState;
  /** One of the rows. */
  choose: <T extends { id: string }>(rows: readonly T[]) => T | undefined;
  /** A name that exists, or that a run is about to give, or a new one. */
  name: (existing: readonly { name: string }[]) => string;
  address: () => string | undefined;
  place: () => Place;
  /** What a choice so far has hit of the runs: a thing or an address that one works on, or a name that one gives. */
  hit: () => 'thing' | 'name' | undefined;
}

export type Act = (scene: Scene) => Action | undefined;

const HOME: Place = { projectId: 1, regionId: 1 };

/** @param prefersRuns chooses what runs work on wherever there is any */
export function createScene(options: ActorOptions, prefersRuns: boolean): Scene {
  const { draw, state, touched = new Set(), names = [], addresses = [], place } = options;
  let hit: ReturnType<Scene['hit']>;
  const pick = <T>(items: readonly T[]): T | undefined =>
    items.length === 0 ? undefined : draw.pick(items);
  const ofRuns = <T>(chosen: T | undefined, what: 'thing' | 'name' = 'thing'): T | undefined => {
    if (chosen !== undefined && hit !== 'thing') hit = what;
    return chosen;
  };
  return {
    draw,
    state,
    choose(rows) {
      const ours = prefersRuns ? rows.filter(({ id }) => touched.has(id)) : [];
      return ofRuns(pick(ours)) ?? pick(rows);
    },
    name(existing) {
      const isKnown = !prefersRuns && existing.length > 0 && draw.chance(0.5);
      const known = isKnown ? draw.pick(existing).name : undefined;
      return known ?? ofRuns(pick(names), 'name') ?? `console-${draw.number(1, 99)}`;
    },
    address: () => ofRuns(pick(addresses)),
    place: () => place ?? pick([...state.instances, ...state.volumes]) ?? HOME,
    hit: () => hit,
  };
}

/** The path of a list in a project and region. */
export function inPlace(version: string, collection: string, place: Place): string {
  return `/cloud/${version}/${collection}/${place.projectId}/${place.regionId}`;
}

const LONGEST_NAME = 60;

/** A name as the cloud, and keys, can have it. */
export function plain(name: string): string {
  return name.replaceAll(/[^\w-]+/g, '-').slice(0, LONGEST_NAME);
}
