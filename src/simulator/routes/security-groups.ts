import type { Hono } from 'hono';
import { z } from 'zod';

import {
  changeGroup,
  copySecurityGroup,
  createSecurityGroup,
  deleteSecurityGroup,
  patchSecurityGroup,
} from '../changes/change-security-group.js';
import { formatSecurityGroup } from '../http/format-security-group.js';
import { pageShape, parseQuery, toPage } from '../http/list-query.js';
import { readJson } from '../http/request-body.js';
import { toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { findStocked, rowsIn } from '../http/stocked.js';
import { matchesTags, tagFilterShape } from '../http/tags.js';
import { defaultRules } from '../state/security-group-rules.js';
import { newId } from '../state/start-task.js';
import type { World } from '../state/world.js';

/** The Go client says that the default limit is 10. */
const listQuerySchema = z.strictObject({
  ...pageShape(10),
  ...tagFilterShape,
  name: z.string().optional(),
});

const LIST = '/cloud/v1/securitygroups/:project{[0-9]+}/:region{[0-9]+}';
const ONE = `${LIST}/:id` as const;
const CHANGE = '/cloud/v2/security_groups/:project{[0-9]+}/:region{[0-9]+}';

/** Security groups: made and changed by tasks; copied, reverted and deleted immediately. */
export function addSecurityGroupRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.get(LIST, (c) => {
    const query = parseQuery(world, listQuerySchema, c.req.queries());
    const rows = rowsIn(world, 'securityGroups', toScope(c.req.param())).filter(
      (row) =>
        row.listedAt <= world.now() &&
        (query.name === undefined || row.name === query.name) &&
        matchesTags(row.tags, query),
    );
    return c.json(toPage(rows, query, formatSecurityGroup));
  });
  app.post(CHANGE, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    return c.json({ tasks: [createSecurityGroup(world, { json: await readJson(c), mutation })] });
  });
  app.get(ONE, (c) => c.json(formatSecurityGroup(findGroup(world, c.req.param()))));
  app.patch(`${CHANGE}/:id`, async (c) => {
    const group = findGroup(world, c.req.param());
    const request = { json: await readJson(c), mutation: toMutation(c, group) };
    return c.json({ tasks: patchSecurityGroup(world, group, request) });
  });
  app.delete(ONE, (c) => {
    deleteSecurityGroup(world, findGroup(world, c.req.param()));
    return c.body(null, 204);
  });
  app.post(`${ONE}/copy`, async (c) => {
    const group = findGroup(world, c.req.param());
    const request = { json: await readJson(c), mutation: toMutation(c, group) };
    return c.json(formatSecurityGroup(copySecurityGroup(world, group, request)), 201);
  });
  app.post(`${ONE}/revert`, (c) => {
    const group = findGroup(world, c.req.param());
    changeGroup(world, group, { rules: defaultRules(world.now(), newId) });
    return c.json(formatSecurityGroup(findGroup(world, c.req.param())));
  });
}

export function findGroup(world: World, params: { project: string; region: string; id: string }) {
  const { id } = params;
  return findStocked(world, 'securityGroups', {
    scope: toScope(params),
    name: 'Security group',
    id,
  });
}
