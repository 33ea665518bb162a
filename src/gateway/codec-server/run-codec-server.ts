import type { Logger } from '@temporalio/common';

import { openCodec, type CodecKeys } from '../../codec/open-codec.js';
import { FileFaultError } from '../../files/fresh-file.js';
import { createLogger } from '../../observe/logger.js';
import {
  GatewayConfigError,
  openTokens,
  serveUntil,
  warnIfOpen,
  type ServedAt,
} from '../serve-gateway.js';
import { auditTo } from '../audit.js';
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
  const { uiOrigins, requestsPerSecond, publicOrigin, trustsProxy } = service;
  const logger = createLogger('INFO', service.writeLog);
  const tokens = await openTokens(service, logger);
  const codec = await openKeys(service.keys, logger);
  const app = createCodecServer({
    codec,
    tokens,
    uiOrigins,
    publicOrigin,
    trustsProxy,
    audit: auditTo(logger),
    ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    log: (answer) => {
      logger.log(answer.status < 500 ? 'INFO' : 'WARN', 'answered', { ...answer });
    },
  });
  await serveUntil(app, service);
}

async function openKeys(keys: CodecKeys, logger: Logger) {
  if ('file' in keys) warnIfOpen(keys.file, logger);
  try {
    return await openCodec(keys, {
      onFault: (fault) => {
        logger.error(`The key ring ${fault}. The keys before it stay in use.`);
      },
      onChange: (ring) => {
        logger.info('The key ring was read again', { ...ring });
      },
    });
  } catch (error) {
    if (!(error instanceof FileFaultError)) throw error;
    throw new GatewayConfigError(error.faults.map((fault) => `GCORE_CODEC_KEYS: ${fault}`));
  }
}
