import type { Socket } from 'node:net';

import { networkOf } from './network-of.js';

/** Takes a seat for a request of a connection, and gives the function that leaves it. */
export type SitDown = () => () => void;

export interface Connections {
  /** Counts it until it ends. */
  add: (socket: Socket) => void;
  /** Who has a seat is counted with what is held there. */
  seatFor: (socket: Socket) => SitDown;
}

/**
 * Connections that have no seat: those that say nothing, send a head, ask for what needs none, or have been refused. When they
 * are too many, who has the most of them loses the oldest: a new one may be of somebody who has none.
 */
export function createConnections(most: number): Connections {
  const seats = new Map<Socket, number>();
  const waiting = new Map<string, Set<Socket>>();
  const networks = new WeakMap<Socket, string>();
  let count = 0;
  const end = (socket: Socket): void => {
    const network = networks.get(socket) ?? '';
    const own = waiting.get(network);
    if (own?.delete(socket) !== true) return;
    count -= 1;
    if (own.size === 0) waiting.delete(network);
  };
  const begin = (socket: Socket): void => {
    const network = networks.get(socket) ?? '';
    waiting.set(network, (waiting.get(network) ?? new Set()).add(socket));
    count += 1;
    const oldest = count > most ? oldestOfMost(waiting) : undefined;
    if (oldest === undefined) return;
    end(oldest);
    oldest.destroy();
  };
  const change = (socket: Socket, by: number): void => {
    const before = seats.get(socket);
    if (before === undefined) return;
    seats.set(socket, before + by);
    if (before === 0) end(socket);
    else if (before + by === 0) begin(socket);
  };
  return {
    add(socket) {
      networks.set(socket, networkOf(socket.remoteAddress ?? ''));
      seats.set(socket, 0);
      socket.once('close', () => {
        seats.delete(socket);
        end(socket);
      });
      begin(socket);
    },
    seatFor: (socket) => () => {
      change(socket, 1);
      return () => {
        change(socket, -1);
      };
    },
  };
}

function oldestOfMost(waiting: ReadonlyMap<string, ReadonlySet<Socket>>): Socket | undefined {
  let most: ReadonlySet<Socket> = new Set();
  for (const sockets of waiting.values()) if (sockets.size > most.size) most = sockets;
  const [oldest] = most;
  return oldest;
}
