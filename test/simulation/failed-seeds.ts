import { STRIKE_KINDS } from './world/chaos.js';
import type { Focus } from './world/swarm.js';

/** A seed that has shown a fault of the product, which is mended. */
export interface FailedSeed {
  /** What was wrong, in one sentence. */
  because: string;
  seed: number;
  focus?: Focus;
}

const PLAIN: Focus = { plain: true, operations: ['provisionInstance'] };
const NOT_FOUND = ['not found once'] as const;
const UNTOLD = ['null field', 'missing field'] as const;

/** Without the kinds of strikes that came later: they would change these stories. */
const EARLIER: Focus = {
  kinds: STRIKE_KINDS.slice(0, STRIKE_KINDS.indexOf('error in a success')),
};

/** Without the corrections of a region. */
const IN_ONE_REGION: Focus = { kinds: STRIKE_KINDS.filter((kind) => kind !== 'other region') };

/** What people do to runs that other runs have started, and resets in the middle of what they do. */
const OF_PARTS: Focus = {
  kinds: [
    'operator of a part',
    'reset at once',
    'lost answer',
    'late lists of runs',
    'operator',
    'killed process',
  ],
  operations: ['runBatch', 'replaceInstance', 'provisionInstance', 'protectIp', 'importVideos'],
};

/** All of these are tried with each change. What they show today is another story, at the place where one went wrong. */
export const FAILED_SEEDS: readonly FailedSeed[] = [
  { because: 'one list without a row counted as gone', seed: 10847 },
  { because: 'one 404 counted as gone', seed: 10367, focus: EARLIER },
  { because: 'one 404 counted as gone, beside another run', seed: 20065 },
  { because: 'one 404 counted as gone, for a line of a batch', seed: 10681 },
  {
    because: 'one list without a storage said that nobody uses a key',
    seed: 20,
    focus: IN_ONE_REGION,
  },
  { because: 'one list without a storage said so to a run that had waited', seed: 20731 },
  {
    because: 'one 404 of an address said that it does not lead to an instance',
    seed: 30017,
    focus: { operations: ['deleteInstance'], kinds: NOT_FOUND },
  },
  {
    because: 'a deletion whose instance was not found once took its parts alone',
    seed: 30015,
    focus: { operations: ['deleteInstance'], kinds: NOT_FOUND },
  },
  {
    because: 'an old instance that was not found once was told as deleted',
    seed: 33040,
    focus: { operations: ['replaceInstance'], kinds: NOT_FOUND },
  },
  { because: 'who is named by madeBy need not have existed', seed: 25 },
  { because: 'who is named by madeBy need not have made anything', seed: 20073, focus: EARLIER },
  { because: 'one batch changed one thing twice', seed: 400 },
  { because: 'lines of one batch wanted opposite things of one resource', seed: 20222 },
  { because: 'a server_id that is null was asked for again for ever', seed: 10965 },
  { because: 'another field that is null was asked for again for ever', seed: 20419 },
  { because: 'a volume whose server_id is null kept a run for ever', seed: 288, focus: PLAIN },
  { because: 'attachments that are null counted as none', seed: 20566 },
  {
    because: 'a profile whose address is null counted as none, and was made again',
    seed: 34024,
    focus: { operations: ['protectIp', 'removeProtection'], kinds: UNTOLD },
  },
  { because: 'a name that the API stores in another form lost the id of a store', seed: 11011 },
  { because: 'a name that the API stores in another form lost that of subtitles', seed: 20765 },
  { because: 'one that takes keys in lower case lost the id of a key', seed: 20040 },
  { because: 'a floating IP that no task names was missing in the ledger', seed: 328 },
  {
    because: 'a list was read once: a row that it lacked did not exist',
    seed: 20020,
    focus: EARLIER,
  },
  { because: 'any 409 was read as a lock, and repeated until it was gone', seed: 20084 },
  {
    because: 'one 404 of a storage ended a run that had linked keys to it',
    seed: 50230,
    focus: IN_ONE_REGION,
  },
  {
    because: 'a watch went with its process, and came back after half an hour',
    seed: 202611290208,
    focus: EARLIER,
  },
  { because: 'a poll that was answered late took a watch with it', seed: 202611290635 },
  { because: 'a watch came back after more than an hour', seed: 1330, focus: PLAIN },
  { because: 'a floating IP whose maker is null was missing in the ledger', seed: 60198 },
  {
    because: 'a run that was reset and cancelled left what it had sent before unnamed',
    seed: 70190,
    focus: PLAIN,
  },
  {
    because: 'a profile whose template is null was of nobody, and was changed for ever',
    seed: 70218,
    focus: { ...PLAIN, ...IN_ONE_REGION },
  },
  {
    because: 'one 404 of a task counted as forgotten',
    seed: 40029,
    focus: {
      operations: ['revertVolume'],
      kinds: ['short list', 'empty list', 'not found once', 'task error'],
    },
  },
  {
    because: 'a change that was blocked looked through the whole grace time at each of its looks',
    seed: 202611290828,
  },
  {
    because: 'a floating IP at the instance, whose address is null, was looked for and never found',
    seed: 500029,
  },
  {
    because: 'an import waited for videos of which the API told no status, and said nothing of it',
    seed: 602047,
  },
  {
    because: 'a hold that goes on beyond the end of its list read as one that is over',
    seed: 603458,
  },
  {
    because:
      'a store whose comment the API does not show was not that of the call which had made it',
    seed: 605298,
    focus: IN_ONE_REGION,
  },
  { because: 'one short list, and an address had a second profile', seed: 621012, focus: EARLIER },
  {
    because: 'one empty list, and a repeated import made its videos again',
    seed: 622828,
    focus: EARLIER,
  },
  {
    because: 'a hold that was reset did not name the profile that stays after it',
    seed: 624037,
  },
  {
    because: 'a clock of the API that is behind hid what was there before',
    seed: 642773,
    focus: EARLIER,
  },
  {
    because: 'a volume was reverted to a snapshot that somebody had taken meanwhile',
    seed: 644714,
  },
  {
    because: 'a request whose name was changed took over the instance with the old name as done',
    seed: 662842,
    focus: EARLIER,
  },
  {
    because: 'the rest of a call that the input asks to keep read as a second instance',
    seed: 670834,
    focus: EARLIER,
  },
  { because: 'a restart that a terminated run of the request had sent read as none', seed: 670336 },
  {
    because:
      'a run that was paused while it was blocked said that it was blocked, and tried nothing',
    seed: 674884,
    focus: IN_ONE_REGION,
  },
  {
    because: 'a hold that was reset did not restore what was there before its content was sent',
    seed: 206,
    focus: {
      operations: [
        'setInstancePower',
        'resizeInstance',
        'attachVolume',
        'revertVolume',
        'replaceInstance',
        'protectIp',
      ],
      kinds: ['operator', 'lost answer'],
    },
  },
  {
    because: 'a replacement took another input, and carried out the one before',
    seed: 28,
    focus: {
      operations: [
        'attachVolume',
        'resizeInstance',
        'setInstancePower',
        'revertVolume',
        'replaceInstance',
      ],
      kinds: ['corrected input'],
    },
  },
  {
    because: 'a part that was cancelled and leaves things failed, and its status said "cancelled"',
    seed: 732058,
  },
  {
    because:
      'a run that was reset to before its correction did not replay, as two local activities ended in one task',
    seed: 23,
    focus: { kinds: ['corrected input', 'operator'], planOf: 3 },
  },
  {
    because: 'what a failure names as still there read as what it calls missing',
    seed: 740160,
  },
  {
    because: 'a text of a store that the API keeps in another form read as another one',
    seed: 810563,
  },
  {
    because: 'an address that somebody had deleted since its line was done read as a false success',
    seed: 820931,
    focus: EARLIER,
  },
  {
    because:
      'a deadline that passed while a process stood still with its first task did not replay',
    seed: 882073,
  },
  {
    because: 'a part that undid its work under the next run of its whole read as cancelled unasked',
    seed: 882053,
  },
  {
    because: 'a key that was added before a reset was named nowhere when the run was cancelled',
    seed: 900399,
    focus: {
      kinds: [
        'frozen process',
        'long queue',
        'caller',
        'operator',
        'cut from Temporal',
        'lost completion',
      ],
      planOf: 900261,
    },
  },
  {
    because:
      'a floating IP of a create whose answer was lost was named nowhere where no answer showed who had made the instance',
    seed: 1366,
    focus: PLAIN,
  },
  {
    because:
      'a profile that could not be restored read as undone, because an earlier round of its step had nothing to undo',
    seed: 916359,
  },
  {
    because: 'a floating IP that had lost its instance was a reason that the judge did not see',
    seed: 916381,
  },
  {
    because: 'a run was blamed for the task of the run that had its Workflow Id before',
    seed: 932589,
    focus: IN_ONE_REGION,
  },
  {
    because:
      'a restart whose task vanished before its run saw it was blamed, though nothing else tells of it',
    seed: 940316,
    focus: { planOf: 940180 },
  },
  {
    because: 'a blocked run looked through the whole grace time at each of its tries',
    seed: 942974,
    focus: { planOf: 942970 },
  },
  {
    because:
      'a deletion that was repeated after a cancel left the floating IP that the first run had named, and said that it is done',
    seed: 950399,
    focus: { planOf: 950398, ...IN_ONE_REGION },
  },
  {
    because:
      'a request that found its instance, and whose task the API had forgotten, did not name its floating IP',
    seed: 1001850,
  },
  {
    because:
      'a run waited for the answer of another one with a workflow task that the worker needed for that answer',
    seed: 5340488,
    focus: {
      operations: ['deleteInstance', 'importVideos', 'callApi'],
      kinds: ['late lists of runs', 'started again at once', 'operator'],
    },
  },
  {
    because:
      'a deletion did not name what another one, which had taken the instance meanwhile, had kept',
    seed: 5310176,
    focus: {
      operations: ['runBatch', 'importVideos', 'callApi'],
      kinds: [
        'late lists of runs',
        'started again at once',
        'operator',
        'lost answer',
        'lost completion',
      ],
    },
  },
  {
    because:
      'a local activity was tried again in the tasks that prolonged its own, and a replay saw a signal and its answer at once',
    seed: 1009353,
  },
  {
    because:
      'an undo believed a list that showed the profile as it was before the change that was to be put back',
    seed: 1009931,
  },
  {
    because:
      'an import that was aborted, and started again before the API listed its videos, made them twice',
    seed: 202612011002,
  },
  {
    because:
      'a store that a look had shown after a lost answer was not named when its run was aborted',
    seed: 1311434,
  },
  {
    because:
      'a run that was terminated between the answer of an activity and its next workflow task could never be asked what it had left',
    seed: 1351069,
    focus: { planOf: 1350709 },
  },
  {
    because:
      'a run whose part was cancelled alone ended as failed, and its status said "cancelled"',
    seed: 2000213,
    focus: OF_PARTS,
  },
  {
    because:
      'a command that cancels a group asked the parts of its runs too, so they had failed alone',
    seed: 2001406,
    focus: { ...OF_PARTS, planOf: 2001402 },
  },
  {
    because:
      "a hold took what its run before a reset had activated for somebody else's, and did not restore it",
    seed: 2010408,
    focus: OF_PARTS,
  },
  {
    because:
      'a cancelled run named nothing of a create whose task the API did not show for a while, after one list without the profile',
    seed: 1373235,
    focus: { planOf: 1373213 },
  },
  {
    because:
      'a lock that went on in a new history forgot that its holder, which was reset, had asked whether the turn is still its own',
    seed: 730439,
    focus: {
      operations: ['modifyKvStore', 'replaceKvStore', 'grantSftpAccess', 'addSubtitles'],
      kinds: [
        'reset at once',
        'started again at once',
        'operator',
        'lost answer',
        'short histories',
      ],
    },
  },
  {
    because:
      'a grant that was aborted before it had looked for the call of a terminated run said nothing of the keys that this had linked',
    seed: 202612011199,
    focus: { planOf: 202612011181 },
  },
  {
    because:
      'a changed line was made beside what its form before, whose run had failed without knowing what it had made, had left',
    seed: 1420995,
    focus: { planOf: 1420989 },
  },
  {
    because:
      'a request that was terminated and asked for again in another region looked there alone, and made a second instance',
    seed: 2712143,
    focus: {
      planOf: 2712139,
      operations: ['provisionInstance', 'createVolume', 'runBatch'],
      kinds: ['other region', 'started again at once', 'late call', 'lost answer'],
    },
  },
  {
    because:
      'a run that was reset after its call, and corrected to another region then, looked there alone, and made a second volume',
    seed: 202612021160,
    focus: { planOf: 202612020394 },
  },
  {
    because:
      'a removal that was reset and found nothing any more went on naming what it had removed',
    seed: 202612020759,
    focus: { planOf: 202612020757 },
  },
  {
    because:
      'a run that waited for one turn after the other looked so often that its history outgrew its budget',
    seed: 202612020683,
    focus: { planOf: 202612020001 },
  },
  {
    because:
      'a request that was terminated and asked for again by another name did not look for what it had made, and made a second storage',
    seed: 2741106,
    focus: {
      operations: ['snapshotVolume', 'createKvStore', 'createSftpStorage'],
      kinds: ['other name', 'started again at once', 'late call', 'lost answer', 'reset at once'],
    },
  },
];
