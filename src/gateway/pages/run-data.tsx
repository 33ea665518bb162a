import type { FC } from 'hono/jsx';

import type { RunHistory, StoredValue } from '../../client/index.js';
import type { RunView } from '../status-board.js';
import { maskInput } from './mask-input.js';
import { pathOfPage } from './page-actions.js';
import { Copyable, Time } from './page-layout.js';
import { rowsOf, type Row } from './value-rows.js';

/** Longer texts stand in the file. */
const MOST_LINES = 120;
const MOST_CHARACTERS = 8_000;

interface DataProps {
  workflowId: string;
  history: RunHistory | undefined;
}

/** The result: addresses and ids first. */
export const Result: FC<DataProps> = ({ workflowId, history }) => {
  const { result } = history ?? {};
  if (result === undefined) return null;
  const { shown, more } = 'left' in result ? { shown: [], more: 0 } : rowsOf(result.value);
  return (
    <section aria-labelledby="result">
      <h2 id="result">Result</h2>
      <dl class="facts">
        {shown.map((row) => (
          <ResultRow row={row} />
        ))}
      </dl>
      {more > 0 && <p class="soft">{more} more values are in the whole result.</p>}
      <Left stored={result} what="result" />
      <p>
        <a href={`${pathOfPage(workflowId)}/result.json`}>The whole result as JSON</a>
      </p>
    </section>
  );
};

const ResultRow: FC<{ row: Row }> = ({ row: { path, text, isLink, isId } }) => (
  <div>
    <dt>{path}</dt>
    <dd>
      {isLink && (
        <a href={text} rel="noreferrer noopener">
          {text}
        </a>
      )}
      {isId && <Copyable id={`result-${path}`} text={text} label={path} />}
      {!isLink && !isId && text}
    </dd>
  </div>
);

export interface WholeInput {
  isShown: boolean;
  /** The reader may ask for it. */
  isOffered: boolean;
}

interface InputProps {
  view: Pick<RunView, 'workflowId' | 'operation'>;
  history: RunHistory | undefined;
  whole: WholeInput;
}

/** What the run works on: what its definition shows, or all of it. */
export const Input: FC<InputProps> = ({ view, history, whole }) => {
  const { workflowId, operation } = view;
  const { input, isCorrected = false } = history ?? {};
  if (input === undefined) return null;
  const file = `${pathOfPage(workflowId)}/input.json`;
  return (
    <section aria-label="Input">
      <details id="input" open={whole.isShown}>
        <summary>
          Input{whole.isShown && ', with its secrets'}
          {isCorrected && ', as it was corrected'}
        </summary>
        {!('left' in input) && (
          <Json value={whole.isShown ? input.value : maskInput(operation, input.value)} />
        )}
        <Left stored={input} what="input" />
        <p>
          <a href={whole.isShown ? `${file}?whole=true` : file}>The input as JSON</a>
          {!whole.isShown && <span class="soft">, without values that may be secrets</span>}
        </p>
        {whole.isOffered && !whole.isShown && <AskForWhole path={pathOfPage(workflowId)} />}
      </details>
    </section>
  );
};

const AskForWhole: FC<{ path: string }> = ({ path }) => (
  <p>
    <a class="button" id="whole" href={`${path}?whole=true#input`}>
      Show all of it
    </a>{' '}
    <span class="soft small">with its secrets; the audit log names who asks</span>
  </p>
);

const Json: FC<{ value: unknown }> = ({ value }) => {
  const text = value === undefined ? 'null' : JSON.stringify(value, null, 2);
  const lines = text.slice(0, MOST_CHARACTERS).split('\n').slice(0, MOST_LINES);
  const shown = lines.join('\n');
  return (
    <pre class="scroll" tabindex={0}>
      <code>
        {shown}
        {shown.length < text.length && ' …'}
      </code>
    </pre>
  );
};

const Left: FC<{ stored: StoredValue; what: string }> = ({ stored, what }) => {
  if (!('left' in stored)) return null;
  return (
    <p>
      {stored.left === 'too-large'
        ? `The ${what} has ${sizeOf(stored.bytes)}: too much for a page.`
        : `The ${what} is encrypted, and this gateway has no key for it, or it belongs to another run.`}
    </p>
  );
};

function sizeOf(bytes: number): string {
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_000 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
}

interface FactsProps {
  rows: readonly { name: string; value: string; isId?: boolean; isTime?: boolean }[];
}

/** Short facts of a run, each with its name. */
export const Facts: FC<FactsProps> = ({ rows }) => (
  <dl class="facts">
    {rows.map(({ name, value, isId = false, isTime = false }) => (
      <div>
        <dt>{name}</dt>
        <dd>
          {isId && <Copyable id={`fact-${name}`} text={value} label={name} />}
          {isTime && <Time at={value} />}
          {!isId && !isTime && value}
        </dd>
      </div>
    ))}
  </dl>
);
