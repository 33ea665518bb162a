import { parse, type Answer } from './api-answer.js';
import type { ApiCall } from './api-call.js';
import { laggingLists, taskErrors, textForms } from './odd-effects.js';
import { oddFields } from './odd-fields.js';
import { oddAbsences, oddOrder, repeatedRows, shortPages } from './odd-lists.js';
import { falseSuccesses, oddQuota, oddRefusals, refusedPeriod } from './odd-refusals.js';
import { falseErrors } from './odd-states.js';
import { silentTasks, talkingFailures, vanishingTasks } from './odd-tasks.js';
import type { Odd, OddityOptions, Refusal } from './oddity.js';

/** An answer, and what is odd about it. */
interface Shown {
  answer: Answer;
  says: readonly string[];
}

/** Everything that the API does oddly, one after the other. */
export function createOddities(options: OddityOptions) {
  const all: readonly Odd[] = [
    refusedPeriod(options, 'key refused'),
    refusedPeriod(options, 'maintenance'),
    oddRefusals(options),
    oddQuota(options),
    falseSuccesses(options),
    laggingLists(options),
    falseErrors(options),
    taskErrors(options),
    textForms(options),
    vanishingTasks(options),
    oddAbsences(options),
    // In another order within a page: who reads on finds the other rows.
    shortPages(options),
    repeatedRows(options),
    oddOrder(options),
    silentTasks(options),
    talkingFailures(options),
    oddFields(options),
  ];
  return {
    /** A refusal without any effect; undefined: the call is carried out. */
    refuse(call: ApiCall): Refusal | undefined {
      for (const { refuse } of all) {
        const refused = refuse?.(call);
        if (refused !== undefined) return refused;
      }
      return undefined;
    },
    /** Gets the simulator ready for a call, which must be the next that it gets. */
    prepare(call: ApiCall): { body: string | undefined; says: readonly string[] } {
      const says: string[] = [];
      let { body } = call;
      for (const { prepare } of all) {
        const prepared = prepare?.(call, body);
        if (prepared === undefined) continue;
        says.push(prepared.says);
        body = prepared.body ?? body;
      }
      return { body, says };
    },
    /** What the caller gets to see. Answers that nothing may change are not read. */
    show(call: ApiCall, answer: Answer): Shown {
      if (answer.status >= 300 || answer.text === '') return { answer, says: [] };
      const due = all.filter(({ change, changes }) => change && changes?.(call) !== false);
      return due.length === 0 ? { answer, says: [] } : changed(call, answer, due);
    },
  };
}

function changed(call: ApiCall, answer: Answer, due: readonly Odd[]): Shown {
  const says: string[] = [];
  let json = parse(answer.text);
  for (const { change } of due) {
    const made = change?.({ call, json });
    if (made === undefined) continue;
    says.push(made.says);
    if ('answer' in made) return { answer: made.answer, says };
    ({ json } = made);
  }
  return says.length === 0
    ? { answer, says }
    : { answer: { ...answer, text: JSON.stringify(json) }, says };
}
