import type { PreparedSender } from '../../../engine/core/prepared-run.js';
import type { Place } from '../place.js';

/** A run that creates cloud resources, in one project and region. */
export interface PreparedMaker extends PreparedSender, Place {}
