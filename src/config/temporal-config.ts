import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

import {
  loadClientConfigProfile,
  toClientOptions,
  type ClientConfigProfile,
  type ClientConfigTLS,
  type ClientConnectConfig,
  type ConfigDataSource,
} from '@temporalio/envconfig';

import { isLoopback } from '../contract/wire/address.js';
export type TemporalConfig = ClientConnectConfig;

/** Settings of the command line. They win over variables and profile. */
export interface TemporalOverrides {
  address?: string | undefined;
  namespace?: string | undefined;
}

type Environment = Readonly<Record<string, string>>;

export type TemporalSettings =
  { ok: true; config: TemporalConfig } | { ok: false; faults: readonly string[] };

const DEFAULT_ADDRESS = 'localhost:7233';

/**
 * Reads Temporal's own variables and profile file. The SDK alone finds most faults only when it
 * connects, and some of them never: half a client certificate means none to it.
 */
export function readTemporalSettings(
  environment: Environment,
  overrides: TemporalOverrides = {},
): TemporalSettings {
  const faults = [...tlsFaults(environment), ...configFileFaults(environment)];
  const profile = { ...readProfile(readable(environment), faults), ...given(overrides) };
  faults.push(
    ...addressFaults(profile, sourceOfAddress(environment, overrides)),
    ...apiKeyFaults(profile, environment),
    ...plainTextFaults(profile, environment),
    ...certificateFaults(profile.tls, environment),
  );
  return faults.length > 0 ? { ok: false, faults } : { ok: true, config: toClientOptions(profile) };
}

function given({ address, namespace }: TemporalOverrides): ClientConfigProfile {
  return {
    ...(address === undefined ? {} : { address }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** The SDK reads `TRUE` as false and would turn TLS off without a word. */
function tlsFaults(environment: Environment): string[] {
  const isValid = isBoolean(environment['TEMPORAL_TLS']);
  return isValid ? [] : ['TEMPORAL_TLS: must be true or false, in lower case'];
}

function isBoolean(text = 'true'): boolean {
  return ['true', 'false', '1', '0'].includes(text);
}

/** Without a wrong TEMPORAL_TLS, which would turn off the checks that belong to TLS. */
function readable({ TEMPORAL_TLS: tls, ...rest }: Environment): Environment {
  return tls === undefined || !isBoolean(tls) ? rest : { ...rest, TEMPORAL_TLS: tls };
}

/** The SDK takes a missing file for an empty one. */
function configFileFaults({ TEMPORAL_CONFIG_FILE: file }: Environment): string[] {
  const isMissing = file !== undefined && !existsSync(file);
  return isMissing ? [`TEMPORAL_CONFIG_FILE: there is no file "${file}"`] : [];
}

/** When the profile cannot be read, the variables alone are checked, so that one start shows all faults. */
function readProfile(environment: Environment, faults: string[]): ClientConfigProfile {
  const overrideEnvVars = { ...environment };
  try {
    return loadClientConfigProfile({ overrideEnvVars });
  } catch (error) {
    faults.push(profileFault(error, environment));
  }
  try {
    return loadClientConfigProfile({ overrideEnvVars, disableFile: true });
  } catch {
    // The same fault again: it is in the variables.
    return {};
  }
}

function profileFault(error: unknown, { TEMPORAL_PROFILE: name = 'default' }: Environment): string {
  const message = reasonOf(error);
  if (message.startsWith('Profile ')) {
    return `TEMPORAL_PROFILE: the configuration file has no profile "${name}"`;
  }
  const both = /^Cannot specify both (\w+)_path and/.exec(message)?.[1]?.toUpperCase();
  return both === undefined
    ? `TEMPORAL_CONFIG_FILE: the configuration file cannot be read (${message})`
    : `TEMPORAL_TLS_${both}_PATH, TEMPORAL_TLS_${both}_DATA: both are set; set only one`;
}

function sourceOfAddress(environment: Environment, { address }: TemporalOverrides): string {
  if (address !== undefined) return '--address';
  return nameOf('TEMPORAL_ADDRESS', 'address', environment);
}

/** The variable, or the field of the profile when the variable is not set. */
function nameOf(variable: string, field: string, environment: Environment): string {
  return variable in environment ? variable : `${field} of the Temporal profile`;
}

const ADDRESS = /^(?<host>\[[\da-f.:]+\]|[^\s:/@?#[\]]+)(?::(?<port>\d+))?$/i;

function addressFaults({ address }: ClientConfigProfile, source: string): string[] {
  if (address === undefined) return [];
  const match = ADDRESS.exec(address);
  const port = Number(match?.groups?.['port'] ?? 7233);
  const isAddress =
    match !== null && port > 0 && port < 65_536 && URL.canParse(`http://${address}`);
  return isAddress ? [] : [`${source}: must be of the form host:port, such as ${DEFAULT_ADDRESS}`];
}

function apiKeyFaults(profile: ClientConfigProfile, environment: Environment): string[] {
  const { apiKey, tls, address = DEFAULT_ADDRESS } = profile;
  if (apiKey === undefined) return [];
  const source = nameOf('TEMPORAL_API_KEY', 'api_key', environment);
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return [`${source}: must be one word without line breaks`];
  const host = ADDRESS.exec(address)?.groups?.['host'];
  const isPlain = tls?.disabled === true && host !== undefined && !isLocalHost(host);
  return isPlain
    ? [
        `${source}: would be sent unencrypted to ${address}; turn TLS on, or remove the key (plain text is allowed for loopback only)`,
      ]
    : [];
}

/**
 * Inputs, results and failures of runs go to the server and back, and whoever reaches it can start runs. The SDK turns
 * TLS on for an API key, for the path of a certificate and for TEMPORAL_TLS.
 */
function plainTextFaults(profile: ClientConfigProfile, environment: Environment): string[] {
  const { address = DEFAULT_ADDRESS, apiKey } = profile;
  const allowed = environment[ALLOW_PLAIN];
  if (!isBoolean(allowed)) return [`${ALLOW_PLAIN}: must be true or false, in lower case`];
  const host = ADDRESS.exec(address)?.groups?.['host'];
  if (host === undefined || isLoopback(host)) return [];
  // No setting allows an API key in plain text: that fault is told already.
  if (apiKey !== undefined && !isLocalHost(host)) return [];
  if (isEncrypted(profile) || allowed === 'true' || allowed === '1') return [];
  return [
    `TEMPORAL_TLS: must be true: what runs send and receive would go unencrypted to ${address}; where the network itself is safe, as between containers of one machine, set ${ALLOW_PLAIN}=true`,
  ];
}

/** As the SDK decides it. */
function isEncrypted({ tls, apiKey }: ClientConfigProfile): boolean {
  return tls === undefined ? apiKey !== undefined : tls.disabled !== true;
}

const ALLOW_PLAIN = 'GCORE_ALLOW_PLAIN_TEMPORAL';

/** Loopback, or a name without a dot: another container of the same network. */
export function isLocalHost(hostname: string): boolean {
  return isLoopback(hostname) || /^[^.[]+$/.test(hostname);
}

const CERTIFICATE_PARTS = [
  { key: 'clientCert', name: 'CLIENT_CERT', parse: parseCertificate },
  { key: 'clientKey', name: 'CLIENT_KEY', parse: createPrivateKey },
  { key: 'serverCACert', name: 'SERVER_CA_CERT', parse: parseCertificate },
] as const;

function certificateFaults(tls: ClientConfigTLS = {}, environment: Environment): string[] {
  if (tls.disabled === true) return [];
  const faults = CERTIFICATE_PARTS.flatMap(({ key, name, parse }) => {
    const source = tls[key];
    if (source === undefined) return [];
    return sourceFaults(source, { source: sourceOfPart(source, name, environment), parse });
  });
  const { clientCert, clientKey } = tls;
  if ((clientCert === undefined) === (clientKey === undefined)) return faults;
  const missing = clientCert === undefined ? 'CLIENT_CERT' : 'CLIENT_KEY';
  return [
    ...faults,
    `TEMPORAL_TLS_${missing}_PATH: is missing; a client certificate and its key go together`,
  ];
}

function sourceOfPart(source: ConfigDataSource, name: string, environment: Environment): string {
  const kind = 'path' in source ? 'PATH' : 'DATA';
  const field = `${name}_${kind}`;
  return nameOf(`TEMPORAL_TLS_${field}`, `tls.${field.toLowerCase()}`, environment);
}

function sourceFaults(
  data: ConfigDataSource,
  { source, parse }: { source: string; parse: (pem: Buffer) => unknown },
): string[] {
  let pem: Buffer;
  try {
    pem = 'path' in data ? readFileSync(data.path) : Buffer.from(data.data);
  } catch (error) {
    return [`${source}: cannot be read (${reasonOf(error)})`];
  }
  try {
    parse(pem);
    return [];
  } catch {
    // The reason of the parser may hold a part of the key.
    return [`${source}: must hold a certificate or key as PEM`];
  }
}

function parseCertificate(pem: Buffer): X509Certificate {
  return new X509Certificate(pem);
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1).join('');
}
