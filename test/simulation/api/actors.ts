import { ACCOUNT_ACTIONS } from './actions-in-account.js';
import { CLOUD_ACTIONS } from './actions-in-cloud.js';
import { createScene, type Action, type ActorOptions, type Scene } from './scene.js';

const SHARE_OF_TOUCHED = 0.7;
/** There are more ways to give a name than to do something to a thing. */
const SHARE_OF_THINGS = 0.75;
const ACTIONS = [...CLOUD_ACTIONS, ...ACCOUNT_ACTIONS];

/** Something that a person in the console or another program does, by a call of its own; undefined: nothing to do. */
export function drawActor(options: ActorOptions): Action | undefined {
  const { draw } = options;
  const acts = draw.shuffled(ACTIONS);
  const isOfRuns = draw.chance(SHARE_OF_TOUCHED);
  const isOfThings = draw.chance(SHARE_OF_THINGS);
  const first = (isWanted: (scene: Scene) => boolean): Action | undefined => {
    for (const act of acts) {
      const scene = createScene(options, isOfRuns);
      const action = act(scene);
      if (action !== undefined && isWanted(scene)) return action;
    }
    return undefined;
  };
  const ofThings = isOfRuns && isOfThings ? first((scene) => scene.hit() === 'thing') : undefined;
  const ofRuns = isOfRuns ? (ofThings ?? first((scene) => scene.hit() !== undefined)) : undefined;
  return ofRuns ?? first(() => true);
}
