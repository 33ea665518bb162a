import { createHash } from 'node:crypto';

import { html, raw } from 'hono/html';

import type { OpenApiDocument } from './build-document.js';

type Fragment = ReturnType<typeof html>;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff; }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: #f3f4f6; border-radius: 4px; }
code { padding: .1em .3em; }
pre { padding: .8rem; overflow-x: auto; }
section { border-top: 1px solid #d5d9de; margin-top: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; }
summary { cursor: pointer; }
@media (prefers-color-scheme: dark) { body { color: #e6e8eb; background: #14171a; } code, pre { background: #22262b; } a { color: #8ab4f8; } section { border-color: #3a4047; } }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page runs nothing and loads nothing: only its own style is allowed, by its hash. */
export const REFERENCE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The reference as one page, from the OpenAPI document. */
export function renderReference(document: OpenApiDocument): string {
  const { title, version, description = '' } = document.info;
  const routes = routesOf(document);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} ${version}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <h1>${title} ${version}</h1>
        <p>${description}</p>
        <p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
        <nav>
          <ul>
            ${routes.map(
              ({ id, name }) =>
                html`<li>
                  <a href="#${id}"><code>${name}</code></a>
                </li>`,
            )}
          </ul>
        </nav>
        <main>${routes.map(renderRoute)}</main>
        <h2 id="schemas">Schemas</h2>
        ${Object.entries(document.components?.schemas ?? {}).map(renderSchema)}
      </body>
    </html>`;
  if (page instanceof Promise) throw new TypeError('No part of the reference is made later');
  return page.toString();
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses?: object;
}

interface Route {
  id: string;
  name: string;
  operation: Operation;
}

function routesOf({ paths = {} }: OpenApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    (['get', 'post', 'delete'] as const).flatMap((method) => {
      const operation: Operation | undefined = methods[method];
      if (operation === undefined) return [];
      const name = `${method.toUpperCase()} ${path}`;
      return [{ id: operation.operationId ?? name, name, operation }];
    }),
  );
}

function renderRoute({ id, name, operation }: Route): Fragment {
  const { summary = '', description = '', parameters = [], responses = {} } = operation;
  const example = exampleOf(operation.requestBody);
  return html`<section id="${id}">
    <h2><code>${name}</code></h2>
    <p>${summary}. ${description}</p>
    ${parameters.length === 0 ? '' : table('Parameters', parameters.map(parameterRow))}
    ${example === undefined ? '' : html`<pre>${JSON.stringify(example, null, 2)}</pre>`}
    ${table('Answers', Object.entries(responses).map(responseRow))}
  </section>`;
}

function table(title: string, rows: Fragment[]): Fragment {
  return html`<h3>${title}</h3>
    <table>
      ${rows}
    </table>`;
}

function parameterRow(parameter: unknown): Fragment {
  const { name, in: place, description, schema } = membersOf(parameter);
  const text = description ?? membersOf(schema)['description'];
  return html`<tr>
    <th><code>${textOf(name)}</code></th>
    <td>${textOf(place)}</td>
    <td>${textOf(text)}</td>
  </tr>`;
}

function responseRow([status, response]: [string, unknown]): Fragment {
  const { description, content } = membersOf(response);
  const names = Object.values(membersOf(content)).map((media) =>
    nameOf(membersOf(media)['schema']),
  );
  return html`<tr>
    <th>${status}</th>
    <td>${textOf(description)}</td>
    <td>
      ${names
        .filter((name) => name !== undefined)
        .map((name) => html`<a href="#schema-${name}">${name}</a>`)}
    </td>
  </tr>`;
}

function renderSchema([name, schema]: [string, unknown]): Fragment {
  return html`<details id="schema-${name}">
    <summary><code>${name}</code></summary>
    <pre>${JSON.stringify(schema, null, 2)}</pre>
  </details>`;
}

function exampleOf(body: unknown): unknown {
  const content = membersOf(membersOf(body)['content']);
  return membersOf(content['application/json'])['example'];
}

/** The name of a schema that another place defines. */
function nameOf(schema: unknown): string | undefined {
  const { $ref } = membersOf(schema);
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

function membersOf(value: unknown): Record<string, unknown> {
  return value instanceof Object ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
