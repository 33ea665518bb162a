import { clearSecretsIn, fieldOf, knownStanding, type ClearPlace } from './clear-values.js';
import { AT_TOP, isSecretPath, standingOf, type Standing } from './wire/secret-fields.js';
import { MAX_POINTER_BYTES, tokensOf } from './wire/json-pointer.js';

/** The places of an input of `callApi`, of any form, where a secret stands in clear or a pointer names one. */
export function clearCallSecrets(input: unknown): ClearPlace[] {
  const [look, undo] = [fieldOf(input, 'look'), fieldOf(input, 'undo')];
  return [...ofCall(input), ...under('look', ofLook(look)), ...under('undo', ofCall(undo))];
}

function ofCall(call: unknown): ClearPlace[] {
  const [query, body] = [fieldOf(call, 'query'), fieldOf(call, 'body')];
  const at = standingAt(fieldOf(call, 'path'));
  return [...under('query', clearSecretsIn(query, at)), ...under('body', clearSecretsIn(body, at))];
}

function ofLook(look: unknown): ClearPlace[] {
  const [pointer, equals] = [fieldOf(look, 'pointer'), fieldOf(look, 'equals')];
  const [query, at] = [fieldOf(look, 'query'), standingAt(fieldOf(look, 'path'))];
  // No call takes a longer one.
  const isPointer = typeof pointer === 'string' && pointer.length <= MAX_POINTER_BYTES;
  const tokens = isPointer ? tokensOf(pointer) : [];
  const isAtEnd = tokens.length > 0 ? isSecretPath(tokens, at) : at.isSecret || at.isHolder;
  const shown = tokens.reduce((above, token) => standingOf(token, above), at);
  return [
    ...under('query', clearSecretsIn(query, at)),
    ...(typeof pointer === 'string' && isAtEnd ? [['pointer']] : []),
    ...under('equals', clearSecretsIn(equals, { ...shown, isHolder: false })),
  ];
}

function under(name: string, places: readonly ClearPlace[]): ClearPlace[] {
  return places.map((place) => [name, ...place]);
}

/** Far more than any path of the API has. */
const MOST_NAMES = 12;

/** What a path says of its bodies: below `/secrets` they are secrets, below `/config` a whole file. An id says nothing. */
function standingAt(path: unknown): Standing {
  if (typeof path !== 'string') return AT_TOP;
  const names = path.split('/').filter((segment) => /^[A-Za-z_-]+$/.test(segment));
  return names.slice(-MOST_NAMES).reduce((above, name) => knownStanding(name, above), AT_TOP);
}
