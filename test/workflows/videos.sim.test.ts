import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate } from '../../src/engine/core/messages.js';
import { createGate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { stateWithVideos, VIDEOS_PATH } from '../support/worlds/videos.js';

const STATE = stateWithVideos([{ id: 7, name: 'Interview 7' }]);
const VIDEO = `${VIDEOS_PATH}/7`;
const ENGLISH = {
  videoId: 7,
  name: 'English',
  language: 'eng',
  vtt: 'WEBVTT\n\n00:01.000 --> 00:04.000\nGood evening.\n',
};

const videos = ({ simulator }: Scenario) => simulator.inventory().videos;
const subtitles = ({ simulator }: Scenario) => simulator.snapshot().subtitles;

describe('deleteVideo', () => {
  it('deletes the video, says what it was, and sends nothing when it is gone', () =>
    inScenario({ state: STATE, record: 'video-deleted' }, async (scenario) => {
      const again = () => scenario.start('deleteVideo', { videoId: 7 });
      const plan = await planOf(scenario, 'deleteVideo', { input: { videoId: 7 } });

      expect(plan).toMatchObject({
        ready: true,
        irreversible: [expect.stringContaining('The API restores none')],
      });
      expect(videos(scenario)).toHaveLength(1);
      const first = await (await again()).result();
      expect(await (await again()).result()).toMatchObject({ videoId: 7, before: null });
      expect(first).toMatchObject({
        videoId: 7,
        before: { name: 'Interview 7', slug: 'slug7', status: 'ready' },
        ledger: [{ name: 'delete video', state: 'verified', note: 'gone' }],
      });
      expect(videos(scenario)).toEqual([]);
      expect(scenario.mutations()).toEqual([`DELETE ${VIDEO}`]);
    }));

  it('is run for each video of a list, as updateVideo is, with one report', () =>
    inScenario({ state: stateWithVideos([{ id: 1 }, { id: 2 }]) }, async (scenario) => {
      const ids = [1, 2, 3].map((videoId) => ({ videoId }));
      const renamed = await scenario.start('runBatch', {
        operation: 'updateVideo',
        items: ids,
        defaults: { description: 'withdrawn' },
      });

      const failure = await failureOfRun(renamed);

      expect(failure).toMatchObject({ type: 'ItemsFailed', details: { counts: { succeeded: 2 } } });
      expect(failure.details.counts).toMatchObject({ byClass: { NotFound: 1 } });
      expect(videos(scenario).map(({ description }) => description)).toEqual([
        'withdrawn',
        'withdrawn',
      ]);
      const deleted = await scenario.start('runBatch', { operation: 'deleteVideo', items: ids });
      expect(await deleted.result()).toMatchObject({
        counts: { asked: 3, succeeded: 3 },
        report: { succeeded: '1-3' },
      });
      expect(videos(scenario)).toEqual([]);
    }));
});

describe('deleteVideo, corrected during its first look', () => {
  it('does not say of the video that is meant now that it is gone, because the other one was', () =>
    inScenario({ state: STATE, timeoutMs: 15_000 }, async (scenario) => {
      const { simulator } = scenario;
      const gate = createGate();
      const look = { method: 'GET', path: `${VIDEOS_PATH}/8` };
      simulator.faults.add({ match: look, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('deleteVideo', { videoId: 8 });
      await until('it looks', () => simulator.inFlight().some(({ path }) => path === look.path));
      await run.executeUpdate(pauseUpdate);

      const input = { videoId: 7, account: scenario.account };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      gate.open();

      expect(await run.result()).toMatchObject({ videoId: 7, before: { name: 'Interview 7' } });
      expect(videos(scenario)).toEqual([]);
    }));
});

describe('updateVideo', () => {
  const input = { videoId: 7, description: 'The final cut', directoryId: 200 };

  it('changes what is asked and nothing else, and sends nothing when it is so', () =>
    inScenario({ state: STATE, record: 'video-updated' }, async (scenario) => {
      const again = () => scenario.start('updateVideo', input);
      const first = await (await again()).result();

      expect(await (await again()).result()).toMatchObject({ changed: false });
      expect(first).toMatchObject({
        videoId: 7,
        changed: true,
        before: { description: null, directoryId: null },
        after: { description: 'The final cut', directoryId: 200 },
        ledger: [{ note: 'changed: description, directoryId' }],
      });
      expect(videos(scenario)).toMatchObject([
        { name: 'Interview 7', client_user_id: 42, screenshot_id: 0, ...{ directory_id: 200 } },
      ]);
      expect(scenario.mutations()).toEqual([`PATCH ${VIDEO}`]);
    }));

  it('is not ended by one 404', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: VIDEO },
        action: { kind: 'status', status: 404 },
      });
      const run = await scenario.start('updateVideo', { videoId: 7, name: 'Final cut' });

      expect(await run.result()).toMatchObject({ after: { name: 'Final cut' } });
    }));

  it('does not take a description for none because one answer lacks it', () =>
    inScenario({ state: STATE }, async (scenario) => {
      await (await scenario.start('updateVideo', input)).result();
      scenario.simulator.faults.add({
        match: { method: 'GET', path: VIDEO },
        action: { kind: 'status', status: 200, body: { id: 7, name: 'Interview 7' } },
      });
      const run = await scenario.start('updateVideo', { videoId: 7, description: '' });

      expect(await run.result()).toMatchObject({ before: { description: 'The final cut' } });
      expect(videos(scenario)).not.toMatchObject([{ description: 'The final cut' }]);
    }));

  it('succeeds when the API has written the name in another form', () =>
    inScenario({ state: STATE, nameForm: 'squeezed' }, async (scenario) => {
      const run = await scenario.start('updateVideo', { videoId: 7, name: 'Final  cut ' });

      expect(await run.result()).toMatchObject({ after: { name: 'Final cut' } });
      const again = await scenario.start('updateVideo', { videoId: 7, name: ' Final cut' });
      // Only the answer to a call says that the other form is that of the API.
      expect(await again.result()).toMatchObject({ changed: true });
      expect(scenario.mutations()).toHaveLength(2);
    }));
});

describe('addSubtitles', () => {
  it('adds the subtitles, and sends nothing when they are there', () =>
    inScenario({ state: STATE, record: 'subtitles-added' }, async (scenario) => {
      const run = await scenario.start('addSubtitles', ENGLISH);

      expect(await run.result()).toMatchObject({
        videoId: 7,
        subtitleId: 1,
        name: 'English',
        created: true,
        ledger: [{ name: 'add subtitles', state: 'verified', note: 'added: subtitles 1' }],
      });
      const vtt = ENGLISH.vtt.replaceAll('\n', '\r\n');
      const again = await scenario.start('addSubtitles', { ...ENGLISH, vtt });
      expect(await again.result()).toMatchObject({ subtitleId: 1, created: false });
      expect(subtitles(scenario)).toMatchObject([{ videoId: '7', vtt: ENGLISH.vtt }]);
      expect(scenario.mutations()).toEqual([`POST ${VIDEO}/subtitles`]);
    }));

  it('is not ended by one 404', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'GET', path: `${VIDEO}/subtitles` },
        action: { kind: 'status', status: 404 },
      });
      const run = await scenario.start('addSubtitles', ENGLISH);

      expect(await run.result()).toMatchObject({ videoId: 7, created: true });
    }));

  it('refuses a name whose subtitles have another text, in a plan too', () =>
    inScenario({ state: STATE }, async (scenario) => {
      await (await scenario.start('addSubtitles', ENGLISH)).result();
      const input = { ...ENGLISH, vtt: 'WEBVTT\n\n00:01.000 --> 00:04.000\nGood night.\n' };
      const message = 'The subtitles 1 have the name "English", in eng, with another text';

      expect(await planOf(scenario, 'addSubtitles', { input })).toMatchObject({
        ready: false,
        findings: [{ path: 'name', message }],
      });
      const run = await scenario.start('addSubtitles', input);
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(subtitles(scenario)).toMatchObject([{ vtt: ENGLISH.vtt }]);
    }));

  it('adds none again after a lost answer, although the API has written the name in another form', () =>
    inScenario({ state: STATE, nameForm: 'cut-at-emoji' }, async (scenario) => {
      const input = { ...ENGLISH, name: 'English 🎬' };
      const answered = await scenario.start('addSubtitles', { ...input, language: 'fre' });
      expect(await answered.result()).toMatchObject({ name: 'English ', created: true });
      const match = { method: 'POST', path: `${VIDEO}/subtitles` };
      scenario.simulator.faults.add({ match, action: { kind: 'drop-response' } });

      const run = await scenario.start('addSubtitles', input);

      expect(await run.result()).toMatchObject({ subtitleId: 2, name: 'English ', created: true });
      expect(subtitles(scenario)).toHaveLength(2);
    }));

  it.each(['ENG', 'en', 'en_US', 'English'])(
    'adds none again after a lost answer, although the API shows the language as %s',
    (language) =>
      inScenario({ state: STATE }, async (scenario) => {
        const { simulator, start, mutations } = scenario;
        const path = `${VIDEO}/subtitles`;
        simulator.faults.add({
          match: { method: 'POST', path },
          action: { kind: 'drop-response' },
        });
        const run = await start('addSubtitles', ENGLISH);
        await until('they are there', () => subtitles(scenario).length > 0);
        const { name, vtt } = ENGLISH;
        simulator.faults.add({
          match: { method: 'GET', path, times: Infinity },
          action: { kind: 'status', status: 200, body: [{ id: 1, name, language, vtt }] },
        });

        expect(await run.result()).toMatchObject({ subtitleId: 1, created: true });
        expect(mutations()).toHaveLength(1);
      }),
  );

  it('adds those of another language beside them', () =>
    inScenario({ state: STATE }, async (scenario) => {
      await (await scenario.start('addSubtitles', ENGLISH)).result();

      const run = await scenario.start('addSubtitles', { ...ENGLISH, language: 'ger' });

      expect(await run.result()).toMatchObject({ subtitleId: 2, created: true });
    }));

  it('refuses those that are there under a text that is no language code', () =>
    inScenario({ state: STATE }, async ({ simulator, start, mutations }) => {
      const { name, vtt } = ENGLISH;
      simulator.faults.add({
        match: { method: 'GET', path: `${VIDEO}/subtitles`, times: Infinity },
        action: { kind: 'status', status: 200, body: [{ id: 1, name, language: 'English', vtt }] },
      });

      const run = await start('addSubtitles', ENGLISH);

      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(mutations()).toEqual([]);
    }));
});
