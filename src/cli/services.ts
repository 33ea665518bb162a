import type { TemporalConfig } from '../config.js';
import type { Check } from '../contract/check.js';
import type { LocalStack, LocalStackOptions } from '../dev/local-stack.js';
import type { CodecService } from '../gateway/codec-server/run-codec-server.js';
import type { GatewayService } from '../gateway/run-gateway.js';
import type { ReplayOptions, ReplayReport } from '../worker/replay-open-runs.js';
import { CliError, ExitCode } from './cli-error.js';
import { readOwnPackage } from './own-package.js';

/** Its other options are for tests. */
export type ReplayService = Omit<ReplayOptions, 'taskQueue' | 'bundlePath'>;
export type { ReplayReport };

export interface WorkerService {
  temporal: TemporalConfig;
  /** One line of the worker's log. */
  writeLog: (line: string) => void;
  signal: AbortSignal;
}

/** The commands watch runs. They leave the simulated API alone. */
export type RunningStack = Omit<LocalStack, 'simulator'>;

/** Parts that few commands need. They load on use, because the worker's native parts take a second. */
export interface Services {
  startLocalStack: (options: LocalStackOptions) => Promise<RunningStack>;
  runWorker: (service: WorkerService) => Promise<void>;
  /** What a worker with the environment of this process finds at the API, for one account or for all it serves. */
  checkApi: (account?: string) => Promise<Check[]>;
  /** How workers with the code of this command sign it, one for each variant; empty when nobody has built it. */
  ownBuilds: () => Promise<readonly string[]>;
  /** The build id of workers with the code of this command. @throws CliError before a build */
  buildId: () => Promise<string>;
  replayOpenRuns: (service: ReplayService) => Promise<ReplayReport>;
  runGateway: (service: GatewayService) => Promise<void>;
  runCodecServer: (service: CodecService) => Promise<void>;
}

const API_UNCHECKED: Check = {
  name: 'API',
  state: 'unknown',
  text: 'cannot be checked by the client package; run this where a worker runs, with its environment',
};

export function createServices(): Services {
  return {
    async startLocalStack(options) {
      const { startLocalStack } = await fromFullPackage(() => import('../dev/local-stack.js'));
      return startLocalStack(options);
    },
    async checkApi(account) {
      if (!isFullPackage()) return [API_UNCHECKED];
      const { checkApi } = await import('../worker/check-api.js');
      return checkApi(undefined, account);
    },
    async ownBuilds() {
      if (!isFullPackage()) return [];
      const { ownBuilds } = await import('../worker/check-api.js');
      return ownBuilds();
    },
    async buildId() {
      const { readBuildId } = await fromFullPackage(() => import('../worker/build-id.js'));
      return orNotBuilt(await readBuildId());
    },
    replayOpenRuns: replayHere,
    async runWorker({ temporal, writeLog, signal }) {
      const [{ runWorker }, { createLogger }] = await fromFullPackage(() =>
        Promise.all([import('../worker/run-worker.js'), import('../observe/logger.js')]),
      );
      const logger = createLogger('INFO', writeLog);
      await runWorker({ temporal, logger, signal });
    },
    async runGateway(service) {
      const { runGateway } = await fromFullPackage(() => import('../gateway/run-gateway.js'));
      await runGateway(service);
    },
    async runCodecServer(service) {
      const { runCodecServer } = await fromFullPackage(
        () => import('../gateway/codec-server/run-codec-server.js'),
      );
      await runCodecServer(service);
    },
  };
}

async function replayHere(service: ReplayService): Promise<ReplayReport> {
  const [{ replayOpenRuns }, { readBuildId }] = await fromFullPackage(() =>
    Promise.all([import('../worker/replay-open-runs.js'), import('../worker/build-id.js')]),
  );
  orNotBuilt(await readBuildId());
  return replayOpenRuns(service);
}

function orNotBuilt(build: string | undefined): string {
  if (build !== undefined) return build;
  throw new CliError({
    type: 'NotBuilt',
    message: 'This program has no workflow bundle.',
    advice: 'Run "npm run build" first.',
    exitCode: ExitCode.failed,
  });
}

const FULL_PACKAGE = 'gcore-workflows';

/** Whether the worker, the simulator and the gateway are installed, and not only the client. */
function isFullPackage(): boolean {
  return readOwnPackage().name === FULL_PACKAGE;
}

/**
 * Loads a part that gcore-workflows-client leaves out.
 * @throws CliError in that package: it says what to install.
 */
async function fromFullPackage<Module>(load: () => Promise<Module>): Promise<Module> {
  if (isFullPackage()) return load();
  throw new CliError({
    type: 'NotInstalled',
    message: `This needs the package ${FULL_PACKAGE}. The client package can only start, follow and operate runs.`,
    advice: `Install it (npm install ${FULL_PACKAGE}) and run this command of it: npx ${FULL_PACKAGE}`,
    exitCode: ExitCode.badInput,
  });
}
