import type { ClearSecrets } from '../../contract/clear-secrets.js';
import type { DeleteInstanceInput } from '../../contract/operations/types.js';
import type { Place } from '../../contract/wire/names.js';
import type { EarlierRuns } from '../../contract/wire/prepared.js';
import type { RunRef } from '../../engine/core/messages.js';
import type { Resource } from '../../engine/core/status.js';
import type { RunPolicy } from '../../engine/core/run-policy.js';
import type { WebhookSettings } from '../../engine/core/webhook-settings.js';

/** Project and region used when an input names none. */
export interface PlaceDefaults {
  projectId?: number | undefined;
  regionId?: number | undefined;
}

/** What holds for the inputs of one account. */
export interface AccountRules extends PlaceDefaults {
  /** The only projects that inputs may name; all when left out. */
  projects?: readonly number[] | undefined;
}

/** `unless-encrypted`: they may, where nobody can read the history without a key. */
export type SecretsPolicy = ClearSecrets | 'unless-encrypted';

/** What the settings of a worker say. The rest is asked from the Temporal server. */
export type PrepareSettings = Omit<PrepareDeps, 'namespaceId'>;

/**
 * When an earlier run of a Workflow Id was last terminated or timed out, by the clock of the Temporal server, in milliseconds
 * since the epoch. `unknown`: the server does not say it now, so the caller assumes that it was a moment ago.
 */
export type EarlierEnd = number | 'unknown' | undefined;

/** What the Temporal server says about the newest run of a Workflow Id. */
export interface MakerRun {
  /** Its Workflow Type. */
  type: string;
  /** Where it has made its instance. Left out when it has not succeeded, and when nobody can read where. */
  madeAt?: MadeAt | undefined;
}

export interface MadeAt extends Place {
  account: string;
}

/**
 * What the runs of a deletion that have ended without success still named, back to the last one that succeeded; `undefined`:
 * the server does not know the one before any more, which there was for sure.
 */
export type LeftBefore = (request: {
  workflowId: string;
  input: DeleteInstanceInput;
  /** Run Id of the one before, as far as that is known: no list needs to show it yet. */
  ranBefore?: string;
  /** The run that this one is a part of: its earlier tries say which runs of the part there were. */
  parent?: RunRef;
}) => Promise<Resource[] | undefined>;

/**
 * The last input of each earlier run of a request that may have made something: it was cut short, has left something, or has
 * succeeded; back to the last one that has.
 */
export type AskedBefore = (request: {
  workflowId: string;
  /**
   * Run Id that the first event of the run names, where its first input is asked about: what it was before a reset counts where
   * nobody had corrected it. A correction, the reset brings again.
   */
  own?: string | undefined;
  /** Run Id of the one before, as far as that is known: no list needs to show it yet. */
  ranBefore?: string | undefined;
  /** Whether the server lists runs now. Those that a client in another language has started no run names. */
  areListed: boolean;
}) => Promise<unknown[]>;

export interface PrepareDeps {
  /** For all accounts, where `accounts` is left out. */
  defaults: PlaceDefaults;
  /** By the name of the account: workflow tasks of all accounts share a queue, so any worker may have to know them. */
  accounts?: Readonly<Record<string, AccountRules>>;
  policy: RunPolicy;
  /** The calls that inputs of `callApi` may name, see `isListed`; none when left out. */
  callApi?: readonly string[];
  /** Without them nobody can be told about a run. */
  webhooks?: WebhookSettings;
  /** Whether inputs may hold secrets in clear; `unless-encrypted` when left out. */
  secretsPolicy?: SecretsPolicy;
  /** Whether the input of this run stands in clear in its history. */
  arrivedInClear?: () => Promise<boolean>;
  cutShortAt?: (workflowId: string) => Promise<EarlierEnd>;
  /** The id of the Temporal namespace. */
  namespaceId: () => Promise<string>;
  /** Whether the run has ended without success; `undefined` when the server does not know the run any more. */
  endedWithoutSuccess?: (run: {
    workflowId: string;
    runId: string;
  }) => Promise<boolean | undefined>;
  leftBefore?: LeftBefore;
  askedBefore?: AskedBefore;
  /** The newest run of a Workflow Id; `undefined` when the server knows none. */
  makerOf?: (workflowId: string) => Promise<MakerRun | undefined>;
  /**
   * @param ranBefore Run Id of the one before: where the server knows it, a list that shows none is late
   * @param wasReset that is what this run was before its reset. The server knows it for sure, and no list needs to show it yet
   */
  earlierRuns?: (
    workflowId: string,
    ranBefore?: string,
    options?: { wasReset: boolean },
  ) => Promise<EarlierRuns>;
}
