import { clearSecretsIn, type ClearPlace } from './clear-values.js';
import { AT_TOP, isSecretPath, standingOf, type Standing } from './wire/secret-fields.js';
import { tokensOf } from './wire/json-pointer.js';

/** The places of an input of `callApi`, of any form, where a secret stands in clear or a pointer names one. */
export function clearCallSecrets(input: unknown): ClearPlace[] {
  const { look, undo } = fieldsOf(input);
  return [...ofCall(input), ...under('look', ofLook(look)), ...under('undo', ofCall(undo))];
}

function ofCall(call: unknown): ClearPlace[] {
  const { path, query, body } = fieldsOf(call);
  const at = standingAt(path);
  return [...under('query', clearSecretsIn(query, at)), ...under('body', clearSecretsIn(body, at))];
}

function ofLook(look: unknown): ClearPlace[] {
  const { path, query, pointer, equals } = fieldsOf(look);
  const at = standingAt(path);
  const tokens = typeof pointer === 'string' ? tokensOf(pointer) : [];
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

/** What a path says of its bodies: below `/secrets` they are secrets, below `/config` a whole file. An id says nothing. */
function standingAt(path: unknown): Standing {
  if (typeof path !== 'string') return AT_TOP;
  const names = path.split('/').filter((segment) => /^[A-Za-z_-]+$/.test(segment));
  return names.reduce((above, name) => standingOf(name, above), AT_TOP);
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
