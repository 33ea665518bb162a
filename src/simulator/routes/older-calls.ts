import type { Hono } from 'hono';

import { refuseLocked } from '../changes/refuse-locked.js';
import { renameNetwork } from '../changes/change-network.js';
import { changeGroup, groupOfRule, insertSecurityGroup } from '../changes/change-security-group.js';
import { olderRuleSchema, toRule } from '../changes/parse-security-group-rule.js';
import { formatNetwork } from '../http/format-network.js';
import { formatRule, formatSecurityGroup } from '../http/format-security-group.js';
import { parseRequest, readJson } from '../http/request-body.js';
import { toScope } from '../http/scope.js';
import { type SimulatorEnv, toMutation } from '../http/simulator-env.js';
import { refuseStock } from '../http/stocked.js';
import { tagsSchema } from '../http/tags.js';
import type { World } from '../state/world.js';
import { findNetwork } from './networks.js';
import { findGroup } from './security-groups.js';
import { findSubnet } from './subnets.js';

const NETWORK = '/cloud/v1/networks/:project{[0-9]+}/:region{[0-9]+}/:id';
const SUBNET = '/cloud/v1/subnets/:project{[0-9]+}/:region{[0-9]+}/:id';
const GROUPS = '/cloud/v1/securitygroups/:project{[0-9]+}/:region{[0-9]+}';
const RULE = '/cloud/v1/securitygrouprules/:project{[0-9]+}/:region{[0-9]+}/:rule';

/** Calls without tasks that the older Terraform provider makes. Of them only the PUT is still documented. */
export function addOlderCalls(app: Hono<SimulatorEnv>, world: World): void {
  addNetworkCalls(app, world);
  addGroupCalls(app, world);
  addRuleCalls(app, world);
}

function addNetworkCalls(app: Hono<SimulatorEnv>, world: World): void {
  app.patch(NETWORK, async (c) => {
    renameNetwork(world, findNetwork(world, c.req.param()), await readJson(c));
    return c.json(formatNetwork(world, findNetwork(world, c.req.param())));
  });
  app.put(`${NETWORK}/metadata`, async (c) => {
    const network = findNetwork(world, c.req.param());
    const tags = parseRequest(world, tagsSchema, await readJson(c));
    refuseStock('networks', network);
    refuseLocked('Network', network);
    world.networks.update(network.id, { tags, updatedAt: world.now() });
    return c.body(null, 204);
  });
  app.put(`${SUBNET}/metadata`, async (c) => {
    const subnet = findSubnet(world, c.req.param());
    const tags = parseRequest(world, tagsSchema, await readJson(c));
    refuseStock('subnets', subnet);
    refuseLocked('Subnet', subnet);
    world.subnets.update(subnet.id, { tags, updatedAt: world.now() });
    return c.body(null, 204);
  });
}

function addGroupCalls(app: Hono<SimulatorEnv>, world: World): void {
  app.post(GROUPS, async (c) => {
    const mutation = toMutation(c, toScope(c.req.param()));
    const group = insertSecurityGroup(world, { json: await readJson(c), mutation });
    return c.json(formatSecurityGroup(group), 201);
  });
  app.put(`${GROUPS}/:id/metadata`, async (c) => {
    const group = findGroup(world, c.req.param());
    changeGroup(world, group, { tags: parseRequest(world, tagsSchema, await readJson(c)) });
    return c.body(null, 204);
  });
}

function addRuleCalls(app: Hono<SimulatorEnv>, world: World): void {
  app.post(`${GROUPS}/:id/rules`, async (c) => {
    const group = findGroup(world, c.req.param());
    const rule = toRule(world, group, parseRequest(world, olderRuleSchema, await readJson(c)));
    changeGroup(world, group, { rules: [...group.rules, rule] });
    return c.json(formatRule(group, rule), 201);
  });
  app.put(RULE, async (c) => {
    const { rule: ruleId, ...place } = c.req.param();
    const group = groupOfRule(world, toScope(place), ruleId);
    const rule = toRule(world, group, parseRequest(world, olderRuleSchema, await readJson(c)));
    changeGroup(world, group, {
      rules: group.rules.map((existing) => (existing.id === ruleId ? rule : existing)),
    });
    return c.json(formatRule(group, rule));
  });
  app.delete(RULE, (c) => {
    const { rule: ruleId, ...place } = c.req.param();
    const group = groupOfRule(world, toScope(place), ruleId);
    changeGroup(world, group, { rules: group.rules.filter(({ id }) => id !== ruleId) });
    return c.body(null, 204);
  });
}
