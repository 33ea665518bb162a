/** Names of fields that hold a secret itself. `secret_id` names one that the API has: that is no secret. */
const SECRET_FIELD =
  /(?:^|[_-])(?:password|passwd|passphrase|private[_-]?key|user[_-]?data|api[_-]?key|access[_-]?key|secret|token|credentials?|authorization)$/;

/** Whether a field of this name holds a secret, in any of the usual spellings: `user_data`, `userData`, `$secret`. */
export function isSecretField(name: string): boolean {
  const spelled = name.replace(/^\W+/, '').replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return SECRET_FIELD.test(spelled.toLowerCase());
}
