import { createDraw, type Draw } from '../time/draw.js';

/** Whatever can go wrong. Each seed switches most of it off, and a few strongly on. */
export const STRIKE_KINDS = [
  // Calls to the API
  'lost request',
  'lost answer',
  'late call',
  'refused call',
  'slow answer',
  // Odd answers of the API, each once
  'empty list',
  'short list',
  'not found once',
  'conflict once',
  'forbidden once',
  'null field',
  'missing field',
  'other form of a text',
  'other order',
  'lagging list',
  'clock apart',
  'task error',
  'task vanishes',
  'task names nothing',
  'quota',
  // Processes
  'killed process',
  'frozen process',
  'cut from Temporal',
  'cut from the API',
  'deployed anew',
  'evicted run',
  'lost completion',
  'long queue',
  // People and other programs. What callers start is no fault, but a finding may not need all of it.
  'caller',
  'operator',
  'other actor',
  'corrected input',
  'short pages',
  // More of what the API says oddly
  'error in a success',
  'row twice',
  'date to wait for',
  'broken profile',
  // More of what callers start: a batch has a line that somebody has asked for too
  'shared line',
  // ... or is given again with one of its lines changed
  'changed line',
  // A cluster lists runs seconds after they have begun and ended
  'late lists of runs',
  // Somebody terminates a run and starts its request again within a second
  'started again at once',
  // ... or stops it, and starts its request again within a second after its end
  'repeated at its end',
  // The server suggests a new history after a few events
  'short histories',
  // One call to the Temporal server is refused, or its answer is lost
  'refused RPC',
  'lost RPC answer',
  // The Temporal server lists no runs for a while
  'no lists of runs',
  // An administrator resets the run whose call has just been carried out
  'reset at once',
  // Somebody asks something of a run that another one has started: a part, or an item of a batch
  'operator of a part',
  // For a while the API takes the key of the account for wrong, or is in maintenance
  'key refused',
  'maintenance',
  // A client in another language starts the request, without the client package: no memo, no check, no look at the run before
  'other client',
  // Somebody sets the clock of a process
  'clock set',
  // The Temporal server answers nothing for a while, and none of its timers fires; then everything happens at once
  'Temporal stands still',
  // An administrator pauses or resets an activity, or cancels a run, a part or an item past the product
  'activity paused or reset',
  'cancelled in Temporal',
  // A schedule starts the request
  'scheduled',
  // A person corrects where it is to be: the run that has just sent a call, a line of a list, or what is asked for anew
  'other region',
  // A person corrects by what it is found: its name, or what it is made of
  'other name',
  // The calls that people name themselves make something, or delete it
  'making call',
] as const;

export type StrikeKind = (typeof STRIKE_KINDS)[number];

/** One thing that went wrong, by the name of its occasion: the same seed has the same strikes at the same occasions. */
export interface Strike {
  kind: StrikeKind;
  /** Such as `GET /cloud/v1/tasks/… #3`. */
  occasion: string;
}

/** Decides what goes wrong. Whether something goes wrong at one occasion depends on no other occasion. */
export interface Chaos {
  /**
   * Asks at an occasion. The draw decides the particulars of the strike; undefined: nothing goes wrong.
   * @param weight multiplies the probability of the kind; default 1
   */
  strikes(kind: StrikeKind, occasion: string, weight?: number): Draw | undefined;
  /** All strikes so far, in the order of time. */
  readonly struck: readonly Strike[];
  /** Whether this seed has switched a kind on. */
  isOn(kind: StrikeKind): boolean;
  /** From now on nothing goes wrong any more. */
  calm(): void;
  isCalm(): boolean;
}

export interface ChaosOptions {
  seed: number;
  /** Probability of each kind at one occasion; what is left out never occurs. */
  odds: Partial<Record<StrikeKind, number>>;
  /** No more strikes than this. */
  most?: number;
  /** Only these strikes, to find out which of them a finding needs. */
  only?: readonly Strike[];
}

export function createChaos({ seed, odds, most = Infinity, only }: ChaosOptions): Chaos {
  const draw = createDraw(seed, 'chaos');
  const struck: Strike[] = [];
  const allowed = only && new Set(only.map(keyOf));
  let isCalm = false;
  const isEnough = (kind: StrikeKind): boolean =>
    kind !== 'caller' && struck.filter((each) => each.kind !== 'caller').length >= most;
  return {
    struck,
    isOn: (kind) => (odds[kind] ?? 0) > 0,
    calm() {
      isCalm = true;
    },
    isCalm: () => isCalm,
    strikes(kind, occasion, weight = 1) {
      const probability = kind === 'caller' ? 1 : (odds[kind] ?? 0) * weight;
      if (isCalm || probability <= 0 || isEnough(kind)) return undefined;
      const strike = { kind, occasion };
      const chance = draw.fork(keyOf(strike));
      if (!chance.chance(probability)) return undefined;
      if (allowed?.has(keyOf(strike)) === false) return undefined;
      struck.push(strike);
      return chance;
    },
  };
}

function keyOf({ kind, occasion }: Strike): string {
  return `${kind} @ ${occasion}`;
}
