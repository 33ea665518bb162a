import { hostOf, isLoopback } from '../contract/wire/address.js';

const DEFAULT_ADDRESS = 'localhost:7233';

/** gRPC would take a proxy of the environment to a server on this machine too, but its own loopback is another one. */
export function pastProxies(address: string = DEFAULT_ADDRESS): Record<string, number> {
  return isLoopback(hostOf(address)) ? { 'grpc.enable_http_proxy': 0 } : {};
}
