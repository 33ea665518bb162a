import { mergeGroups, type FlatActivities } from '../engine/activities/activity-groups.js';
import { boundResults } from '../engine/activities/bound-results.js';
import { createActionTaskActivities } from './action-tasks.js';
import { createApiCallActivities } from './api-calls.js';
import { createCloudSshKeyActivities } from './cloud-ssh-keys.js';
import { createCreateTaskActivities } from './create-tasks.js';
import { createDdosPreflightActivities } from './ddos-preflight.js';
import { createDdosProfileActivities } from './ddos-profiles.js';
import { createFlavorActivities } from './flavors.js';
import { createFloatingIpMoveActivities } from './floating-ip-moves.js';
import { createFloatingIpActivities } from './floating-ips.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { createInstanceActivities } from './instances.js';
import { createInstancePartActivities } from './instance-parts.js';
import { createInstanceActionActivities } from './instance-actions.js';
import { createKvStoreActivities } from './kv-stores.js';
import { createKvStoreChangeActivities } from './kv-store-changes.js';
import { createLookupActivities } from './lookups.js';
import { createSftpStorageChangeActivities } from './sftp-storage-changes.js';
import { createSftpStorageActivities } from './sftp-storages.js';
import { createSnapshotActivities } from './snapshots.js';
import { createSshKeyActivities } from './ssh-keys.js';
import { createManifestReader, type ManifestReader } from './manifest/create-manifest-reader.js';
import { createSecretActivities } from './secrets/check-secrets.js';
import { NO_SECRETS_HERE, type SecretSource } from './secrets/secret-source.js';
import { createVideoChangeActivities } from './video-changes.js';
import { createVideoActivities } from './videos.js';
import { createTaskActivities, createTaskReads } from './tasks.js';
import { createVolumeActionActivities } from './volume-actions.js';
import { createVolumeActivities } from './volumes.js';
import type { SecretsOfRun } from './task-secrets.js';
import { createPollActivities } from './watch.js';
import type { PollPolicy } from '../engine/core/run-policy.js';

export { isDefect, toDefect } from '../engine/activities/defects.js';
export { flattenGroups } from '../engine/activities/activity-groups.js';
export {
  createApiKeys,
  toApiKeys,
  type ApiKeys,
  type ReplaceableKeys,
} from '../engine/http/api-keys.js';
export { createApiClient, type ApiClientOptions } from './gcore-api.js';
export type { ApiClient } from '../engine/http/api-client.js';
export { createFreezeWatch, type FreezeWatch } from '../engine/http/freeze-watch.js';
export type { CallObserver, Exchanged, ObservedCall } from '../engine/http/call-context.js';
export type { Pressure } from '../engine/http/learned-pace.js';
export { createRequestBudget, type BudgetPressure } from '../engine/http/request-budget.js';
export { instanceSecrets } from './instance-secrets.js';
export { sentForms } from './sent-forms.js';
export { readSecrets, replaceSecrets, secretRefsIn } from './secrets/secret-source.js';
export { MAX_SECRET_BYTES, type FoundSecret, type SecretSource } from './secrets/secret-source.js';
export type { SecretsOfRun } from './task-secrets.js';
export type { ListHealthEvents } from '../engine/activities/list-health.js';
export { readExistingParts, type PartIds } from './instance-parts.js';
export type { WithReads, StampedReads } from '../engine/activities/registered-activities.js';
export { createTaskReads, type TaskView } from './tasks.js';
export { createTaskWatcher, type TaskWatcher } from '../engine/activities/task-watcher.js';
export { createWatchActivities, type WatchActivities } from './watch.js';
export {
  createManifestReader,
  type ManifestReader,
  type ManifestReaderOptions,
} from './manifest/create-manifest-reader.js';
export type { UploadSource } from './manifest/open-upload.js';
export { createBatchActivities, type BatchActivities } from './batch/create-batch-activities.js';
export { createScanActivities, type ScanActivities } from './scan-videos.js';
export {
  createPrepareActivities,
  type AccountRules,
  type AskedBefore,
  type EarlierEnd,
  type MakerRun,
  type PrepareDeps,
  type LeftBefore,
  type PrepareSettings,
} from './prepare.js';
export {
  createWebhookActivities,
  type DeliveryOutcome,
  type WebhookActivities,
} from '../engine/activities/webhooks/send-webhook.js';

export interface ApiActivityDeps {
  api: ApiClient;
  poll: PollPolicy;
  /** Reads lists by reference; without it no list is read. */
  manifests?: ManifestReader;
  /**
   * What the run of the current activity has sent: no text of a task may repeat it. Without it these
   * texts are withheld.
   */
  secretsOfRun?: SecretsOfRun;
  /** Where the secrets are that inputs name; without it there are none. */
  secrets?: SecretSource;
  /** The calls that inputs of `callApi` may name; none when left out. */
  callApi?: readonly string[] | undefined;
}

/** Results that are larger by design, each with a limit of its own. */
const LARGER_RESULTS: ReadonlyMap<string, number> = new Map([
  // 500 kB of keys; see ssh-keys.ts.
  ['listSshKeyPage', 600_000],
  // A page of 1,000 flavors.
  ['listFlavors', 400_000],
  ['listAvailableFlavors', 400_000],
  // The ranges of a manifest; the number of chunks is limited where the manifest is read.
  ['scanKvManifest', 1_000_000],
  ['surveyKvManifest', 1_000_000],
  // What the run shows of 500 videos; see videos/video-details.ts.
  ['pollVideos', 1_100_000],
  ['readVideos', 1_100_000],
  ['createVideoBatch', 1_100_000],
  // 100 keys of the input.
  ['findKvDatatypes', 400_000],
]);

const UNKNOWN_SECRETS: SecretsOfRun = () => Promise.resolve(undefined);

/**
 * The HTTP activities of one account, one per endpoint: the table of contents of what is sent to the
 * API. Grouped by what a repeat would do; a worker registers them with `flattenGroups`.
 */
export function createApiActivities(given: ApiActivityDeps) {
  const { api, poll, manifests = createManifestReader({}), secretsOfRun = UNKNOWN_SECRETS } = given;
  const { secrets = NO_SECRETS_HERE, callApi = [] } = given;
  const deps = { api, manifests, secretsOfRun, secrets, callApi };
  const groups = mergeGroups(
    createPollActivities({ reads: createTaskReads(deps), poll, secretsOfRun }),
    createInstanceActivities(deps),
    createInstancePartActivities(deps),
    createInstanceActionActivities(deps),
    createVolumeActionActivities(deps),
    createActionTaskActivities(deps),
    createVolumeActivities(deps),
    createSnapshotActivities(deps),
    createFloatingIpActivities(deps),
    createFloatingIpMoveActivities(deps),
    createTaskActivities(deps),
    createCreateTaskActivities(deps),
    createSshKeyActivities(deps),
    createSftpStorageActivities(deps),
    createSftpStorageChangeActivities(deps),
    createCloudSshKeyActivities(deps),
    createDdosProfileActivities(deps),
    createDdosPreflightActivities(deps),
    createVideoActivities(deps),
    createVideoChangeActivities(deps),
    createKvStoreActivities(deps),
    createKvStoreChangeActivities(deps),
    createFlavorActivities(deps),
    createLookupActivities(deps),
    createApiCallActivities(deps),
    createSecretActivities(deps),
  );
  return boundResults(groups, LARGER_RESULTS);
}

export type ApiActivityGroups = ReturnType<typeof createApiActivities>;
/** All of them by name, as a worker registers them. */
export type ApiActivities = FlatActivities<ApiActivityGroups>;
