import {
  createGate,
  outcomeOf,
  script,
  untilIdle,
  type Handle,
  type Script,
  type Stage,
} from './kit.js';

interface Held {
  stage: Stage;
  run: Handle;
  /** Lets the activity of the run end. */
  endActivity: () => void;
  /** Ends the task. */
  letGo: () => void;
}

/** Longer than the timer of the run. */
const TIMER_MS = 4_500;
/** Long enough for an activity that has ended to be known. */
const SOON_MS = 600;

/** What comes to a run while a worker has its task. */
function during(
  name: string,
  then: 'complete' | 'cancel' | 'wait',
  happens: (held: Held) => Promise<unknown>,
): Script {
  return script(
    name,
    async (stage) => {
      const [held, hold, activity] = [createGate(), createGate(), createGate()];
      await stage.worker({
        perform: async (what: string) => {
          if (what === 'hold') held.open();
          await (what === 'hold' ? hold : activity).opened;
          return `done ${what}`;
        },
      });
      const run = await stage.start('holdsAndThen', { args: [then] });
      await untilIdle(stage, run.workflowId);
      await run.signal('go', 'begin');
      await held.opened;
      const seen = await happens({ stage, run, endActivity: activity.open, letGo: hold.open });
      hold.open();
      const ended = await outcomeOf(run.result());
      activity.open();
      return { seen, ended };
    },
    6,
  );
}

export const duringTasks = [
  during('all that comes during a task is written after it', 'wait', async (held) => {
    await held.run.signal('go', 'first');
    held.endActivity();
    await held.stage.pass(TIMER_MS);
    await held.run.signal('go', 'last');
  }),

  during('a signal comes during the task that completes its run', 'complete', async ({ run }) => {
    await run.signal('go', 'in the middle');
  }),

  during('an activity ends during the task that completes its run', 'complete', async (held) => {
    held.endActivity();
    await held.stage.pass(SOON_MS);
  }),

  during('a timer fires during the task that cancels it', 'cancel', async (held) => {
    await held.stage.pass(TIMER_MS);
  }),

  during('an activity ends during the task that cancels it', 'cancel', async (held) => {
    held.endActivity();
    await held.stage.pass(SOON_MS);
  }),

  during('a run is cancelled during a task', 'wait', async (held) => {
    await held.run.cancel();
  }),

  during('a run is terminated during a task', 'wait', async (held) => {
    await held.run.terminate('enough');
    held.endActivity();
    await held.stage.pass(SOON_MS);
  }),

  during('an update comes during a task', 'complete', async ({ run, stage, letGo }) => {
    const update = outcomeOf(run.executeUpdate('add', { args: ['x'], updateId: 'the-update' }));
    await stage.pass(SOON_MS);
    letGo();
    return update;
  }),

  during('an update comes during a task that leaves its run open', 'wait', async (held) => {
    const update = outcomeOf(
      held.run.executeUpdate('add', { args: ['x'], updateId: 'the-update' }),
    );
    await held.stage.pass(SOON_MS);
    held.letGo();
    const told = await update;
    held.endActivity();
    return told;
  }),

  during('a query comes during a task', 'wait', async (held) => {
    const answer = outcomeOf(held.run.query('state'));
    await held.stage.pass(SOON_MS);
    held.letGo();
    const told = await answer;
    held.endActivity();
    return told;
  }),
];
