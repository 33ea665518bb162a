import { InvalidArgumentError, Argument } from 'commander';

import { Operation } from '../../contract/wire/names.js';
import { toIdentity, UNKNOWN_IDENTITY } from '../../engine/core/identity.js';
import { parseDuration } from '../../engine/core/times.js';

/** `--timeout 90` → milliseconds. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  const isTime = text.trim() !== '' && Number.isFinite(seconds) && seconds > 0;
  if (!isTime) throw new InvalidArgumentError('It must be a number of seconds above 0.');
  return seconds * 1000;
}

/** `--address localhost:7233` */
export function parseAddress(text: string): string {
  if (/^[^\s/]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be of the form host:port, such as localhost:7233.');
}

/** Names that the gateway, Nexus and schedules give. */
const GIVEN_NAMES = /^(?:gateway|nexus|schedule):/;

/** `--as anna` */
export function parseIdentity(text: string): string {
  const isShownAsGiven = toIdentity(text) === text && text !== UNKNOWN_IDENTITY;
  if (isShownAsGiven && !GIVEN_NAMES.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be a name of at most 100 letters, digits and signs such as @ . - and may not begin with gateway:, nexus: or schedule:.',
  );
}

/** `--limit 20` */
export function parseCount(text: string): number {
  const count = Number(text);
  const isCount = Number.isSafeInteger(count) && count > 0;
  if (!isCount) throw new InvalidArgumentError('It must be a whole number above 0.');
  return count;
}

/** `--port 7233` */
export function parsePort(text: string): number {
  const port = Number(text);
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  if (!isPort) throw new InvalidArgumentError('It must be a port: a number from 1 to 65535.');
  return port;
}

/** `--ui http://127.0.0.1:8233` */
export function parseWebAddress(text: string): string {
  if (/^https?:\/\/[^\s"'<>]+$/.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:8233.');
}

/** `--ui-origin http://localhost:8233`, several times; collects them. */
export function parseOrigin(text: string, before: readonly string[] = []): string[] {
  const isOrigin = URL.canParse(text) && /^https?:\/\//.test(text) && new URL(text).origin === text;
  if (isOrigin) return [...before, text];
  throw new InvalidArgumentError(
    'It must be the origin of a page, such as https://temporal.example.com or http://localhost:8233, without a path.',
  );
}

/** `--public-url https://runs.example.com` */
export function parsePublicUrl(text: string): string {
  const isOrigin = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (isOrigin && new URL(text).origin === text.replace(/\/$/, '')) return new URL(text).origin;
  throw new InvalidArgumentError(
    'It must be where browsers reach this server, such as https://runs.example.com, without a path.',
  );
}

/** `--tolerate 10` or `--tolerate 1.5%` */
export function parseTolerate(text: string): { count: number } | { percent: number } {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const value = Number(digits);
  if (percent === '%' && value <= 100) return { percent: value };
  if (percent === '' && Number.isSafeInteger(value)) return { count: value };
  throw new InvalidArgumentError('It must be a number of videos, or a share such as 1%.');
}

/** Temporal accepts 1000 bytes for a Workflow Id. The request id is one part of it. */
const MAX_REQUEST_ID_LENGTH = 200;

export function parseRequestId(text: string): string {
  const isId = /^[\x21-\x7e]+$/.test(text) && text.length <= MAX_REQUEST_ID_LENGTH;
  if (isId) return text;
  throw new InvalidArgumentError(
    `It must be one word of at most ${MAX_REQUEST_ID_LENGTH} ASCII characters, such as order-4711.`,
  );
}

/** Accepts `provisionInstance` and, as in workflow ids, `provision-instance`. */
export function parseOperation(text: string): Operation {
  const wanted = text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const operation = Object.values(Operation).find((name) => name === wanted);
  if (operation !== undefined) return operation;
  throw new InvalidArgumentError(`It must be one of ${Object.values(Operation).join(', ')}.`);
}

/** The argument of commands that take any operation. The help and the completion show the names. */
export function operationArgument(): Argument {
  return new Argument('<OPERATION>', 'which operation')
    .choices(Object.values(Operation))
    .argParser(parseOperation);
}

/** `--fields slug,hls_url` */
export function parseNames(text: string): string[] {
  return text.split(',').filter((name) => name !== '');
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/;

/** `--since 2h`, `--since 2026-05-04` or `--since 2026-05-04T03:00Z` */
export function parseSince(text: string, now: number = Date.now()): Date {
  const span = parseDuration(text);
  const time = span.ok ? now - span.ms : Date.parse(DATE.test(text) ? text : '');
  if (Number.isFinite(time)) return new Date(time);
  throw new InvalidArgumentError(
    'It must be a time span such as 2h or "3 days", or a time in UTC such as 2026-05-04 or 2026-05-04T03:00Z.',
  );
}
