import type { GcoreWorkflows } from '../client/index.js';
import type { CodecKeys } from '../codec/open-codec.js';
import { loadCodecKeys, loadTemporalConfig, type TemporalConfig } from '../config.js';
import type { StatusDocument } from '../contract/index.js';
import { webhookRemarks } from '../engine/core/webhooks.js';
import type { Hint } from './cli-error.js';
import type { CliIo } from './cli-io.js';
import { createHint } from './hint.js';
import type { GlobalOptions } from './program.js';
import { failedRunCommands, heldRunCommands } from './output/render-asked.js';
import { renderStatus, unservedRemarks } from './output/render-status.js';
import { fit } from './output/fit.js';
import { choosePaint, type Paint } from './output/terminal-text.js';
import {
  createJsonProgress,
  createLineProgress,
  createLiveProgress,
  type Progress,
} from './watch/progress.js';
import type { WatchDeps } from './watch/watch-run.js';

/** The tools of a command: output, connection settings, hints at other commands. */
export interface Session {
  io: CliIo;
  /** `--output json` */
  isJson: boolean;
  /** For text on stdout. */
  paint: Paint;
  progress: Progress;
  temporal: () => TemporalConfig;
  /** The keys that encrypt payloads, from the environment. */
  codecKeys: () => CodecKeys | undefined;
  /** Who asks, for the status and the history of runs. */
  identity: string;
  /** Prints data on stdout: `value` for a program, `lines` for a person. */
  print: (value: unknown, lines: readonly string[]) => void;
  /** Prints a result: always JSON. */
  printJson: (value: unknown) => void;
  hint: Hint;
}

export function createSession(io: CliIo, options: GlobalOptions): Session {
  const { output, color, address, namespace, as: identity = io.identity } = options;
  const printJson = (value: unknown): void => {
    io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  };
  return {
    io,
    isJson: output === 'json',
    paint: choosePaint(color, io.stdout),
    progress: createProgress(io, options),
    identity,
    temporal: () => loadTemporalConfig(undefined, { address, namespace }),
    codecKeys: () => loadCodecKeys(),
    print(value, lines) {
      if (output === 'json') printJson(value);
      else io.stdout.write(`${fit(lines, io.stdout.size?.().columns).join('\n')}\n`);
    },
    printJson,
    hint: createHint(io, options),
  };
}

/** The same session with another Temporal server, one that the command has started itself. */
export function atServer(session: Session, temporal: TemporalConfig): Session {
  return { ...session, temporal: () => temporal };
}

function createProgress(io: CliIo, { output, color }: GlobalOptions): Progress {
  const options = { stream: io.stderr, clock: io.clock, paint: choosePaint(color, io.stderr) };
  if (output === 'json') return createJsonProgress(options);
  return io.stderr.isTty ? createLiveProgress(options) : createLineProgress(options);
}

/** What `watchRun` needs from a session. From now on Ctrl-C detaches from the run. */
export function watchDeps(session: Session, gcore: GcoreWorkflows): WatchDeps {
  const { io, progress, hint } = session;
  return { gcore, clock: io.clock, progress, interrupted: io.interrupted(), hint };
}

/** Prints the status document on stdout, as text or as JSON. */
export function printStatus(session: Session, workflowId: string, status: StatusDocument): void {
  const { io, paint, hint } = session;
  const commands = [
    ...heldRunCommands(workflowId, status, hint),
    ...failedRunCommands(workflowId, status, hint),
  ];
  const remarks = [...unservedRemarks(status), ...webhookRemarks(status)];
  const view = { workflowId, status, commands, remarks, saysEnd: true };
  session.print(status, renderStatus(view, io.clock.now(), paint));
}
