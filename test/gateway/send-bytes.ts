import { connect } from 'node:net';

/** Sends the parts as they are to a server of this machine, and gives all that it answers until it closes. */
export async function sendBytes(url: string, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data.toString()));
  // A server may close before all was sent: an error of the connection, after which its answer still counts.
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** The status of such an answer. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
}
