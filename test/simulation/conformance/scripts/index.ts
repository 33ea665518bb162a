import { activities } from './activities.js';
import { activitiesFromOutside } from './activities-from-outside.js';
import { chains } from './chains.js';
import { children } from './children.js';
import { duringTasks } from './during-tasks.js';
import { lists } from './lists.js';
import { localActivities } from './local-activities.js';
import { messages } from './messages.js';
import { schedules } from './schedules.js';
import { scopesAndTimers } from './scopes-and-timers.js';
import { starts } from './starts.js';
import { workers } from './workers.js';
import { workflowTasks } from './workflow-tasks.js';

export const scripts = [
  ...workflowTasks,
  ...localActivities,
  ...duringTasks,
  ...workers,
  ...chains,
  ...starts,
  ...activities,
  ...activitiesFromOutside,
  ...children,
  ...scopesAndTimers,
  ...messages,
  ...lists,
  ...schedules,
];
