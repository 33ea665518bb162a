/** Does everything at once, as its only word says: a siege as JSON. */
import { everythingAtOnce, siegeSchema } from './everything-at-once.js';

await everythingAtOnce(siegeSchema.parse(JSON.parse(process.argv[2] ?? '')));
process.exit();
