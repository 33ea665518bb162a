import { createApp } from './create-app.js';
import { withAdmin } from './http/admin.js';
import { keyNameOf } from './http/authenticate.js';
import { createExchange, type Exchange } from './http/exchange.js';
import type { FaultRule } from './faults/fault-rule.js';
import { createFaultScript } from './faults/fault-script.js';
import { createFaultSwitches, type FaultSwitches } from './faults/fault-switches.js';
import { createFetch } from './http/fetch-in-process.js';
import {
  type CloudSshKeyObject,
  formatCloudSshKey,
  type DdosProfileObject,
  formatDdosProfile,
  formatSftpStorage,
  formatSshKey,
  type SftpStorageObject,
  type SshKeyObject,
} from './http/formatters.js';
import { type FloatingIpObject, formatListedFloatingIp } from './http/format-floating-ip.js';
import { formatInstance, type InstanceObject } from './http/format-instance.js';
import { formatReservedFixedIp, type ReservedFixedIpObject } from './http/format-port.js';
import {
  formatSnapshot,
  formatVolume,
  type SnapshotObject,
  type VolumeObject,
} from './http/format-volume.js';
import { formatKvStoreShort, type KvStoreObject } from './http/format-kv-store.js';
import { formatImage, type ImageObject } from './http/format-image.js';
import {
  formatNetwork,
  formatSubnet,
  type NetworkObject,
  type SubnetObject,
} from './http/format-network.js';
import { formatPlacementGroup, type PlacementGroupObject } from './http/format-placement-group.js';
import { formatSecurityGroup, type SecurityGroupObject } from './http/format-security-group.js';
import { formatTask, type TaskObject } from './http/format-task.js';
import { formatVideo, type VideoObject } from './http/format-video.js';
import { listen, type Listener, type ListenOptions } from './http/listen.js';
import { isMutation } from './http/is-mutation.js';
import { createRequestLog, type LoggedRequest, type ReceivedRequest } from './http/request-log.js';
import { createApiKeys, FIRST_KEY, type ApiKeys } from './state/api-keys.js';
import { settleTasks } from './state/settle-tasks.js';
import { existingStorages } from './state/sftp-storages.js';
import { emptyState, parseSimulatorState, type SimulatorState } from './state/simulator-state.js';
import { openFacts, type OpenFacts } from './state/open-facts.js';
import { createWorld, type World } from './state/world.js';

export interface SimulatorOptions extends Partial<OpenFacts> {
  /** The key that the simulator accepts; its name is `default`. */
  apiKey?: string;
  /** Other keys that it accepts, by name. All of them see the same cloud. */
  apiKeys?: Readonly<Record<string, string>>;
  /** The same seed gives the same durations. */
  seed?: number;
  /** Factor on all durations: 1 is realistic (an instance takes 15 to 30 s), 0.01 is for tests. */
  timeScale?: number;
  now?: () => number;
  /** Share of videos that fail by chance, each in one of the known ways. Default: 0. */
  videoFailureShare?: number;
  /** A snapshot to continue from. Its running tasks end when they would have ended. */
  state?: SimulatorState;
  /** Called after every change, for example to save the state to a file. */
  onChange?: (state: SimulatorState) => void;
}

/** What really exists, in the shapes of the API, even if lists do not show it yet. */
export interface Inventory {
  /** The networks, subnets, images and security groups that are not in stock. */
  networks: NetworkObject[];
  subnets: SubnetObject[];
  images: ImageObject[];
  securityGroups: SecurityGroupObject[];
  placementGroups: PlacementGroupObject[];
  instances: InstanceObject[];
  volumes: VolumeObject[];
  floatingIps: FloatingIpObject[];
  tasks: TaskObject[];
  sshKeys: SshKeyObject[];
  kvStores: KvStoreObject[];
  sftpStorages: SftpStorageObject[];
  cloudSshKeys: CloudSshKeyObject[];
  ddosProfiles: DdosProfileObject[];
  videos: VideoObject[];
  snapshots: SnapshotObject[];
  reservedFixedIps: ReservedFixedIpObject[];
}

export interface Simulator {
  /** Answers in process, without a port. Use it as the `fetch` option of an HTTP client. */
  fetch: typeof globalThis.fetch;
  listen(options?: ListenOptions): Promise<Listener>;
  /** All requests since the start or the last reset, in the order of their ends. */
  readonly requests: readonly LoggedRequest[];
  /** Received requests without an answer yet, for example because of a `delay`. */
  inFlight(): ReceivedRequest[];
  /** The requests that may have changed something, whatever their outcome. */
  mutations(): LoggedRequest[];
  readonly faults: Pick<FaultSwitches, 'start' | 'stop'> & {
    add(rule: FaultRule): void;
    clear(): void;
  };
  /** Accepts one more key, or no longer accepts one. */
  readonly keys: Pick<ApiKeys, 'add' | 'revoke'>;
  inventory(): Inventory;
  snapshot(): SimulatorState;
  /** Replaces what exists by a snapshot. @throws TypeError that names every fault of what is none */
  restore(state: unknown): void;
  /** Empties the cloud, the request log and the fault rules. */
  reset(): void;
}

export const DEFAULT_API_KEY = 'simulator-key';

/**
 * A stateful stand-in for the remote API.
 *
 * @example
 * const simulator = createSimulator({ timeScale: 0.01 });
 * simulator.faults.add({ match: { method: 'POST' }, action: { kind: 'drop-response' } });
 * const { url, close } = await simulator.listen();
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { apiKey = DEFAULT_API_KEY, seed = 1, timeScale = 1, now = Date.now } = options;
  const { videoFailureShare = 0 } = options;
  const keys = createApiKeys({ [FIRST_KEY]: apiKey, ...options.apiKeys });
  const facts = openFacts(options);
  const world = createWorld({ seed, timeScale, now, videoFailureShare, ...facts });
  world.restore(parseSimulatorState(options.state ?? emptyState()));
  const app = createApp(world, keys);
  const faults = createFaultScript();
  const switches = createFaultSwitches(faults);
  const log = createRequestLog(now, (header) => keyNameOf(header, keys));
  const withFaults = createExchange({
    faults,
    log,
    process: async (request, effects) => app.fetch(request, { effects }),
  });
  const restore = (state: unknown): void => {
    world.restore(parseSimulatorState(state));
    options.onChange?.(world.snapshot());
  };
  const exchange = withAdmin(reportChanges(withFaults, world, options.onChange), {
    faults: switches,
    snapshot: () => snapshotNow(world),
    restore,
  });
  return {
    fetch: createFetch(exchange),
    listen: (listenOptions) => listen(exchange, listenOptions),
    requests: log.entries,
    inFlight: () => log.inFlight(),
    mutations: () => log.entries.filter(isMutation),
    faults: {
      add: (rule) => {
        faults.add(rule);
      },
      clear: () => {
        faults.clear();
      },
      start: switches.start,
      stop: switches.stop,
    },
    keys,
    inventory: () => toInventory(world),
    snapshot: () => snapshotNow(world),
    restore,
    reset() {
      world.restore(emptyState());
      log.clear();
      faults.clear();
      options.onChange?.(world.snapshot());
    },
  };
}

/** Reports a change before its answer is sent, so that a caller never knows of an unsaved change. */
function reportChanges(
  exchange: Exchange,
  world: World,
  onChange: SimulatorOptions['onChange'],
): Exchange {
  if (onChange === undefined) return exchange;
  let reported = world.revision();
  return async (request) => {
    const outcome = await exchange(request);
    if (world.revision() !== reported) {
      reported = world.revision();
      onChange(world.snapshot());
    }
    return outcome;
  };
}

/** With every task that is due. */
function snapshotNow(world: World): SimulatorState {
  settleTasks(world);
  return world.snapshot();
}

function toInventory(world: World): Inventory {
  settleTasks(world);
  const all = (): boolean => true;
  return {
    networks: world.networks.filter(all).map((row) => formatNetwork(world, row)),
    subnets: world.subnets.filter(all).map((row) => formatSubnet(world, row)),
    images: world.images.filter(all).map((row) => formatImage(world, row)),
    securityGroups: world.securityGroups.filter(all).map(formatSecurityGroup),
    placementGroups: world.placementGroups
      .filter(all)
      .map((row) => formatPlacementGroup(world, row)),
    instances: world.instances.filter(all).map((row) => formatInstance(world, row)),
    volumes: world.volumes.filter(all).map((row) => formatVolume(world, row)),
    floatingIps: world.floatingIps.filter(all).map((row) => formatListedFloatingIp(world, row)),
    tasks: structuredClone(world.tasks.filter(all).map((row) => formatTask(world, row))),
    sshKeys: world.sshKeys.filter(all).map(formatSshKey),
    kvStores: world.kvStores.filter(all).map((row) => formatKvStoreShort(world, row)),
    sftpStorages: existingStorages(world).map((row) => formatSftpStorage(world, row)),
    cloudSshKeys: world.cloudSshKeys.filter(all).map(formatCloudSshKey),
    ddosProfiles: world.ddosProfiles.filter(all).map((row) => formatDdosProfile(row, row)),
    videos: world.videos.filter(all).map((row) => formatVideo(world, row)),
    snapshots: world.snapshots.filter(all).map(formatSnapshot),
    reservedFixedIps: world.reservedFixedIps
      .filter(all)
      .map((row) => formatReservedFixedIp(world, row)),
  };
}
