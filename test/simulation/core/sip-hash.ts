import Long from 'long';

const MASK = (1n << 64n) - 1n;

const rotate = (value: bigint, by: bigint): bigint =>
  ((value << by) | (value >> (64n - by))) & MASK;

type State = [bigint, bigint, bigint, bigint];

function round([v0, v1, v2, v3]: State): State {
  const a = (v0 + v1) & MASK;
  const b = rotate(v1, 13n) ^ a;
  const c = (v2 + v3) & MASK;
  const d = rotate(v3, 16n) ^ c;
  const e = (rotate(a, 32n) + d) & MASK;
  const f = rotate(d, 21n) ^ e;
  const g = (c + b) & MASK;
  return [e, rotate(b, 17n) ^ g, rotate(g, 32n), f];
}

/**
 * The seed of the chance of a run, from the id of its first run: SipHash-1-3 without a key, of the text as Rust hashes it,
 * which ends it with 0xff. Core uses this forever, since histories depend on it.
 */
export function randomnessSeed(runId: string): Long {
  const bytes = Buffer.concat([Buffer.from(runId), Buffer.from([0xff])]);
  let state: State = [
    0x736f6d6570736575n,
    0x646f72616e646f6dn,
    0x6c7967656e657261n,
    0x7465646279746573n,
  ];
  const take = (word: bigint): void => {
    const [v0, v1, v2, v3] = round([state[0], state[1], state[2], state[3] ^ word]);
    state = [v0 ^ word, v1, v2, v3];
  };
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) take(bytes.readBigUInt64LE(at));
  const rest = Buffer.alloc(8);
  bytes.copy(rest, 0, whole);
  rest[7] = bytes.length & 0xff;
  take(rest.readBigUInt64LE(0));
  state = [state[0], state[1], state[2] ^ 0xffn, state[3]];
  for (let rounds = 0; rounds < 3; rounds += 1) state = round(state);
  const hash = state[0] ^ state[1] ^ state[2] ^ state[3];
  return Long.fromString(hash.toString(), true);
}
