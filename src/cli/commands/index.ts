import { Operation } from '../../contract/wire/names.js';
import type { StepOperation } from '../../contract/index.js';
import type { Cli } from '../cli.js';

export type AddCommand = (cli: Cli) => void;

/** A command loads when it runs: what one needs, the others need not wait for. */
export interface ListedCommand {
  /** Its heading in the help. */
  group: string;
  load: () => Promise<AddCommand>;
}

type Load = ListedCommand['load'];

/** The commands that were made by hand, because people need more than the fields of the input. */
const START_COMMANDS: Record<Exclude<Operation, StepOperation>, Load> = {
  provisionInstance: async () => (await import('./provision.js')).addProvision,
  importVideos: async () => (await import('./import.js')).addImport,
  protectIp: async () => (await import('./protect.js')).addProtect,
  modifyKvStore: async () => (await import('./kv-push.js')).addKvPush,
  listSshKeys: async () => (await import('./ssh-keys.js')).addSshKeys,
  listVideos: async () => (await import('./videos.js')).addVideos,
  grantSftpAccess: async () => (await import('./grant-sftp.js')).addGrantSftp,
  deleteInstance: async () => (await import('./delete.js')).addDelete,
  replaceInstance: async () => (await import('./replace.js')).addReplace,
  runBatch: async () => (await import('./batch.js')).addBatch,
};

function isStep(operation: Operation): operation is StepOperation {
  return !(operation in START_COMMANDS);
}

function loadStep(operation: StepOperation): Load {
  return async () => (await import('./step.js')).stepCommand(operation);
}

/** The heading of the commands that are no part of a run. */
export const PARTS = 'Run the parts:';

function group(heading: string, commands: readonly Load[]): ListedCommand[] {
  return commands.map((load) => ({ group: heading, load }));
}

/** In the order of the help. Each adds one command. The completion, which reads them all, follows. */
export const COMMANDS: readonly ListedCommand[] = [
  ...group('Start a run:', [
    ...Object.values(START_COMMANDS),
    ...Object.values(Operation).filter(isStep).map(loadStep),
    async () => (await import('./upload.js')).addUpload,
    async () => (await import('./plan.js')).addPlan,
    async () => (await import('./retry.js')).addRetry,
    async () => (await import('./schedule.js')).addSchedule,
  ]),
  ...group('Look at runs:', [
    async () => (await import('./follow.js')).addStatus,
    async () => (await import('./follow.js')).addExplain,
    async () => (await import('./follow.js')).addWatch,
    async () => (await import('./follow.js')).addResult,
    async () => (await import('./list.js')).addList,
  ]),
  ...group('Change a run:', [
    async () => (await import('./operate.js')).addPause,
    async () => (await import('./operate.js')).addResume,
    async () => (await import('./stop.js')).addAbort,
    async () => (await import('./operate.js')).addExtend,
    async () => (await import('./operate.js')).addRestore,
    async () => (await import('./stop.js')).addCancel,
  ]),
  ...group(PARTS, [
    async () => (await import('./worker.js')).addWorker,
    async () => (await import('./gateway.js')).addGateway,
    async () => (await import('./codec-server.js')).addCodecServer,
    async () => (await import('./codec.js')).addCodec,
    async () => (await import('./token.js')).addToken,
    async () => (await import('./webhook/webhook.js')).addWebhook,
    async () => (await import('./deploy/deploy.js')).addDeploy,
    async () => (await import('./doctor.js')).addDoctor,
    async () => (await import('./config.js')).addConfig,
    async () => (await import('./dev/dev.js')).addDev,
    async () => (await import('./demo/demo.js')).addDemo,
  ]),
];
