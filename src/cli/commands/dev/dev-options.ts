import type { FaultName } from '../../../contract/wire/fault-names.js';

export interface DevOptions {
  folder: string;
  port: number;
  uiPort: number;
  gatewayPort: number;
  speed: number;
  fault: FaultName[];
  detach?: true;
}

/** The same options as words of a command line, without `--detach`. */
export function toWords({ folder, port, uiPort, gatewayPort, speed, fault }: DevOptions): string[] {
  return [
    ...['--folder', folder, '--port', String(port), '--ui-port', String(uiPort)],
    ...['--gateway-port', String(gatewayPort), '--speed', String(speed)],
    ...fault.flatMap((name) => ['--fault', name]),
  ];
}
