import type { CodecKeys } from '../../codec/open-codec.js';
import { openCodec } from '../../codec/open-codec.js';
import { FileFaultError } from '../../files/fresh-file.js';
import { GatewayConfigError, openTokens, serveUntil, type ServedAt } from '../serve-until.js';
import { createCodecServer } from './create-codec-server.js';

export interface CodecService extends ServedAt {
  keys: CodecKeys;
  uiOrigins: readonly string[];
  requestsPerSecond?: number;
  /** One line of the log, as JSON. */
  writeLog: (line: string) => void;
}

/**
 * Serves the remote codec until the signal.
 * @throws GatewayConfigError when the tokens or the keys cannot be used, or the port is taken
 */
export async function runCodecServer(service: CodecService): Promise<void> {
  const { uiOrigins, requestsPerSecond } = service;
  const log = (entry: object): void => {
    service.writeLog(JSON.stringify({ time: new Date().toISOString(), ...entry }));
  };
  const tokens = await openTokens(service, log);
  const codec = await openKeys(service.keys, log);
  const app = createCodecServer({
    ...{ codec, tokens, uiOrigins },
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    log: (answer) => {
      log({ level: answer.status < 500 ? 'INFO' : 'WARN', message: 'answered', ...answer });
    },
  });
  await serveUntil(app, service);
}

async function openKeys(keys: CodecKeys, log: (entry: object) => void) {
  try {
    return await openCodec(keys, {
      onFault: (fault) => {
        const message = `The key ring ${fault}. The keys before it stay in use.`;
        log({ level: 'ERROR', message });
      },
      onChange: ({ current, ids }) => {
        log({ level: 'INFO', message: 'The key ring was read again', current, ids });
      },
    });
  } catch (error) {
    if (!(error instanceof FileFaultError)) throw error;
    throw new GatewayConfigError(error.faults.map((fault) => `GCORE_CODEC_KEYS: ${fault}`));
  }
}
