import { isChange, Operation, type ChangeOperation } from '../../contract/index.js';
import type { Cli } from '../cli.js';
import { changeCommand } from './change.js';
import { addAbort, addCancel } from './stop.js';
import { addCodec } from './codec.js';
import { addToken } from './token.js';
import { addCodecServer } from './codec-server.js';
import { addCompletion } from './completion.js';
import { addConfig } from './config.js';
import { addDeploy } from './deploy/deploy.js';
import { addDelete } from './delete.js';
import { addDemo } from './demo/demo.js';
import { addDev } from './dev/dev.js';
import { addDoctor } from './doctor.js';
import { addExplain, addResult, addStatus, addWatch } from './follow.js';
import { addExtend, addPause, addRestore, addResume } from './operate.js';
import { addGateway } from './gateway.js';
import { addGrantSftp } from './grant-sftp.js';
import { addImport } from './import.js';
import { addKvPush } from './kv-push.js';
import { addList } from './list.js';
import { addPlan } from './plan.js';
import { addProtect } from './protect.js';
import { addProvision } from './provision.js';
import { addRetry } from './retry.js';
import { addSchedule } from './schedule.js';
import { addSshKeys } from './ssh-keys.js';
import { addWebhook } from './webhook/webhook.js';
import { addWorker } from './worker.js';

type AddCommand = (cli: Cli) => void;

/** The commands that were made by hand, because people need more than the fields of the input. */
const START_COMMANDS: Record<Exclude<Operation, ChangeOperation>, AddCommand> = {
  provisionInstance: addProvision,
  importVideos: addImport,
  protectIp: addProtect,
  modifyKvStore: addKvPush,
  listSshKeys: addSshKeys,
  grantSftpAccess: addGrantSftp,
  deleteInstance: addDelete,
};

/** The commands that follow stand under this heading of the help. */
function group(heading: string): AddCommand {
  return ({ program }) => void program.commandsGroup(heading);
}

/** In the order of the help. */
export const COMMANDS: readonly AddCommand[] = [
  group('Start a run:'),
  ...Object.values(START_COMMANDS),
  ...Object.values(Operation).filter(isChange).map(changeCommand),
  addPlan,
  addRetry,
  addSchedule,
  group('Look at runs:'),
  addStatus,
  addExplain,
  addWatch,
  addResult,
  addList,
  group('Change a run:'),
  addPause,
  addResume,
  addAbort,
  addExtend,
  addRestore,
  addCancel,
  group('Run the parts:'),
  addWorker,
  addGateway,
  addCodecServer,
  addCodec,
  addToken,
  addWebhook,
  addDeploy,
  addDoctor,
  addConfig,
  addDev,
  addDemo,
  addCompletion,
];
