import { ProblemError } from '../problems/problem.js';
import { readBytes } from '../requests/read-body.js';
import type { GatewayContext } from '../gateway-context.js';
import { isFormSecret } from './page-session.js';

/** A stranger may send one. */
const MAX_FORM_BYTES = 8_192;

/** The fields of a form of this gateway. @throws ProblemError (403) for a form of another site */
export async function readForm(c: GatewayContext): Promise<Record<string, string>> {
  const fields = await readFields(c);
  if (!isFormSecret(c, fields['secret'] ?? '')) throw foreignForm(c);
  return fields;
}

/** Before anybody is signed in, only the browser says where a form comes from. @throws ProblemError (403) */
export async function readFirstForm(c: GatewayContext): Promise<Record<string, string>> {
  return readFields(c);
}

async function readFields(c: GatewayContext): Promise<Record<string, string>> {
  refuseForeign(c);
  const text = new TextDecoder().decode(await readBytes(c, MAX_FORM_BYTES));
  return Object.fromEntries(new URLSearchParams(text));
}

/** Every browser of today sends the first header with a form; the second is for one that does not. */
function refuseForeign(c: GatewayContext): void {
  const site = c.req.header('sec-fetch-site') ?? 'same-origin';
  const origin = c.req.header('origin');
  const isOwn = origin === undefined || origin === c.get('origin');
  if (!isOwn || !['same-origin', 'none'].includes(site)) throw foreignForm(c);
}

function foreignForm(c: GatewayContext): ProblemError {
  return new ProblemError({
    status: 403,
    code: 'ForeignForm',
    title: 'This form is not from this gateway',
    detail: 'The form comes from another page, or from another session. Nothing was changed.',
    advice: `Open the page again at ${c.get('origin')} and use its buttons. Behind a proxy, an operator names its address with --public-url.`,
  });
}
