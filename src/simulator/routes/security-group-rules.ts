import type { Hono } from 'hono';

import { startGroupChange } from '../changes/change-security-group.js';
import { ruleSchema, toRule } from '../changes/parse-security-group-rule.js';
import { notFoundError } from '../http/cloud-error.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import type { World } from '../state/world.js';
import { findGroup } from './security-groups.js';

const RULES = '/cloud/v2/security_groups/:project{[0-9]+}/:region{[0-9]+}/:id/rules';

/** Rules of security groups: made and deleted by tasks. */
export function addSecurityGroupRuleRoutes(app: Hono<SimulatorEnv>, world: World): void {
  app.post(RULES, async (c) => {
    const group = findGroup(world, c.req.param());
    const body = parseRequest(world, ruleSchema, await readJson(c));
    const rule = toRule(world, group, body);
    const started = startGroupChange(world, group, {
      kind: 'create_security_group_rule',
      data: { security_group_id: group.id, ...body },
      change: { rules: [...group.rules, rule] },
      created: { security_group_rules: [rule.id] },
      mutation: toMutation(c, group),
    });
    return c.json({ tasks: [started] });
  });
  app.delete(`${RULES}/:rule`, (c) => {
    const group = findGroup(world, c.req.param());
    const ruleId = c.req.param('rule');
    const rules = group.rules.filter(({ id }) => id !== ruleId);
    if (rules.length === group.rules.length) {
      throw notFoundError(`Security group rule ${ruleId} of group ${group.id} is not found`);
    }
    const started = startGroupChange(world, group, {
      kind: 'delete_security_group_rule',
      data: { security_group_id: group.id, rule_id: ruleId },
      change: { rules },
      mutation: toMutation(c, group),
    });
    return c.json({ tasks: [started] });
  });
}
