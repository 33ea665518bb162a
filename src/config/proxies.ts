import type { Environment } from './environment.js';

/** In the order of gRPC, which clients connect with. It knows the names in lower case only. */
const PROXIES_OF_CLIENTS = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/** The variable whose proxy clients take to a Temporal server on another machine, unless `no_proxy` names its host. */
export function proxyOfClients(environment: Environment): string | undefined {
  return PROXIES_OF_CLIENTS.find((name) => isSet(environment, name));
}

const PROXIES_OF_CALLS = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

/** Node.js takes no proxy for HTTP by itself. Newer versions do when they are told to. */
export function warningsOfProxies(environment: Environment): string[] {
  const variable = PROXIES_OF_CALLS.find((name) => isSet(environment, name));
  if (variable === undefined || isSet(environment, 'NODE_USE_ENV_PROXY')) return [];
  return [
    `${variable}: is not used: workers reach the API and the Temporal server, and send webhooks, without a proxy`,
  ];
}

/** By every program an empty variable counts as not set. */
function isSet(environment: Environment, name: string): boolean {
  return (environment[name] ?? '') !== '';
}

/** What gRPC logs of a proxy comes hundreds of times. The error of a command says it once. */
export function quietGrpc(): void {
  process.env['GRPC_VERBOSITY'] ??= 'NONE';
}
