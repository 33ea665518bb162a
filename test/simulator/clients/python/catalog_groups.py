"""Security groups, placement groups, and how instances join and leave them."""

from __future__ import annotations

from typing import Any

from harness import refused

AREAS: list[str] = [
    "cloud.security_groups",
    "cloud.security_groups.rules",
    "cloud.placement_groups",
    "cloud.instances.assign_security_group",
    "cloud.instances.unassign_security_group",
    "cloud.instances.add_to_placement_group",
    "cloud.instances.add_to_placement_group_and_poll",
    "cloud.instances.remove_from_placement_group",
    "cloud.instances.remove_from_placement_group_and_poll",
]

PLACE = {"project_id": 1, "region_id": 1}
POLL = {"polling_interval_seconds": 1, "polling_timeout_seconds": 60}
WEB = {"direction": "ingress", "protocol": "tcp", "port_range_min": 80, "port_range_max": 80}


def instance_of(api: Any, name: str) -> Any:
    return api.cloud.instances.create_and_poll(
        **PLACE,
        flavor="g2-standard-1-2",
        name=name,
        interfaces=[{"type": "external"}],
        volumes=[{"source": "new-volume", "size": 1, "delete_on_termination": True}],
    )


def security_groups_come_and_go(api: Any) -> None:
    groups = api.cloud.security_groups
    made = groups.create_and_poll(**PLACE, **POLL, name="web", description="HTTP", rules=[WEB], tags={"env": "dev"})
    assert (made.name, made.description, made.revision_number) == ("web", "HTTP", 1)
    [rule] = made.security_group_rules
    assert (rule.direction, rule.ethertype, rule.protocol) == ("ingress", "IPv4", "tcp")
    started = groups.create(**PLACE, name="closed", description="", rules=[], tags={"env": "dev", "team": "a"})
    task = api.cloud.tasks.poll(started.tasks[0])
    [closed] = task.created_resources.security_groups
    assert task.task_type == "create_security_group" and groups.get(closed, **PLACE).security_group_rules == []
    opened = groups.create_and_poll(**PLACE, name="open")
    assert {(row.direction, row.protocol) for row in opened.security_group_rules} == {
        ("egress", None),
        ("ingress", None),
    }

    assert [row.id for row in groups.list(**PLACE, name="web")] == [made.id]
    assert [row.id for row in groups.list(**PLACE, tag_key=["env", "team"])] == [closed]
    assert [row.id for row in groups.list(**PLACE, tag_key_value='{"env": "dev"}')] == [made.id, closed]
    assert [row.id for row in groups.list(**PLACE, limit=1, offset=1).results] == [made.id]

    secure = {**WEB, "port_range_min": 443, "port_range_max": 443, "description": "TLS"}
    changed = groups.update_and_poll(
        made.id, **PLACE, **POLL, name="web-2", description="HTTPS", rules=[WEB, secure], tags={"env": None}
    )
    assert (changed.name, changed.description, changed.tags_v2) == ("web-2", "HTTPS", [])
    assert changed.security_group_rules[0].id == rule.id and len(changed.security_group_rules) == 2
    assert changed.revision_number == 2
    same = groups.update(made.id, **PLACE, name="web-2", description="HTTPS", rules=[secure, WEB], tags={})
    assert same.tasks == []

    copied = groups.copy(made.id, **PLACE, name="web-3")
    assert copied.name == "web-3" and len(copied.security_group_rules) == 2
    assert {row.id for row in copied.security_group_rules}.isdisjoint(
        row.id for row in changed.security_group_rules
    )
    reverted = groups.revert_to_default(copied.id, **PLACE)
    assert all(row.protocol is None for row in reverted.security_group_rules)

    [default] = groups.list(**PLACE, name="default")
    refused(409, groups.delete, default.id, **PLACE)
    refused(400, groups.create, **PLACE, name="bad", rules=[{**WEB, "port_range_min": 90}])
    for group in [made.id, closed, opened.id, copied.id]:
        groups.delete(group, **PLACE)
    refused(404, groups.get, made.id, **PLACE)


def rules_come_and_go(api: Any) -> None:
    groups, rules = api.cloud.security_groups, api.cloud.security_groups.rules
    group = groups.create_and_poll(**PLACE, name="rules", rules=[])
    other = groups.create_and_poll(**PLACE, name="friends", rules=[])
    wanted = {
        **WEB,
        "description": "from friends",
        "ethertype": "IPv6",
        "remote_group_id": other.id,
        "remote_ip_prefix": "2001:db8::/32",
    }
    made = rules.create_and_poll(group.id, **PLACE, **POLL, **wanted)
    assert {name: getattr(made, name) for name in wanted} == wanted and made.security_group_id == group.id
    [second] = api.cloud.tasks.poll(
        rules.create(group.id, **PLACE, **{**wanted, "protocol": "udp"}).tasks[0]
    ).created_resources.security_group_rules
    replaced = rules.replace(made.id, **PLACE, **{**wanted, "description": "again", "protocol": "any"})
    assert (replaced.description, replaced.protocol) == ("again", None)
    assert made.id not in [row.id for row in groups.get(group.id, **PLACE).security_group_rules]
    refused(400, rules.create, group.id, **PLACE, direction="ingress", remote_ip_prefix="2001:db8::/32")
    refused(400, rules.create, group.id, **PLACE, direction="ingress", remote_group_id="none")
    rules.delete_and_poll(replaced.id, **PLACE, **POLL, group_id=group.id)
    api.cloud.tasks.poll(rules.delete(second, **PLACE, group_id=group.id).tasks[0])
    assert groups.get(group.id, **PLACE).security_group_rules == []
    refused(404, rules.delete, second, **PLACE, group_id=group.id)
    groups.delete(group.id, **PLACE)
    groups.delete(other.id, **PLACE)


def the_default_group_can_be_changed(api: Any) -> None:
    groups = api.cloud.security_groups
    [default] = groups.list(project_id=2, region_id=1, name="default")
    place = {"project_id": 2, "region_id": 1}
    groups.rules.create_and_poll(default.id, **place, **WEB)
    changed = groups.get(default.id, **place)
    assert len(changed.security_group_rules) == len(default.security_group_rules) + 1
    assert [row.id for row in groups.list(**place)] == [default.id]
    reverted = groups.revert_to_default(default.id, **place)
    assert len(reverted.security_group_rules) == len(default.security_group_rules)


def instances_have_security_groups(api: Any) -> None:
    instances, groups = api.cloud.instances, api.cloud.security_groups
    instance = instance_of(api, "guarded")
    group = groups.create_and_poll(**PLACE, name="guards")
    def names() -> list[str]:
        return [row.name for row in instances.get(instance.id, **PLACE).security_groups]

    assert names() == ["default"]
    instances.assign_security_group(instance.id, **PLACE, name="guards")
    assert names() == ["default", "guards"]
    refused(409, groups.delete, group.id, **PLACE)
    on_all_ports = [{"port_id": None, "security_group_names": ["guards", "default"]}]
    instances.unassign_security_group(instance.id, **PLACE, ports_security_group_names=on_all_ports)
    assert names() == []
    instances.assign_security_group(instance.id, **PLACE, ports_security_group_names=on_all_ports)
    instances.unassign_security_group(instance.id, **PLACE, name="guards")
    assert names() == ["default"]
    refused(409, instances.unassign_security_group, instance.id, **PLACE, name="guards")
    refused(404, instances.assign_security_group, instance.id, **PLACE, name="nobody")
    refused(400, instances.assign_security_group, instance.id, **PLACE)
    groups.delete(group.id, **PLACE)
    instances.delete_and_poll(instance.id, **PLACE)


def instances_are_placed_together(api: Any) -> None:
    instances, groups = api.cloud.instances, api.cloud.placement_groups
    instance = instance_of(api, "twin")
    group = groups.create(**PLACE, name="apart", policy="anti-affinity")
    other = groups.create(**PLACE, name="near", policy="affinity")
    assert (group.name, group.policy, group.instances) == ("apart", "anti-affinity", [])
    assert [row.name for row in groups.list(**PLACE)] == ["near", "apart"]
    assert [row.name for row in groups.list(**PLACE, limit=1, offset=1).results] == ["apart"]

    instances.add_to_placement_group_and_poll(instance.id, **PLACE, **POLL, servergroup_id=group.servergroup_id)
    [member] = groups.get(group.servergroup_id, **PLACE).instances
    assert (member.instance_id, member.instance_name) == (instance.id, "twin")
    refused(409, instances.add_to_placement_group, instance.id, **PLACE, servergroup_id=other.servergroup_id)
    refused(409, groups.delete, group.servergroup_id, **PLACE)
    instances.remove_from_placement_group_and_poll(instance.id, **PLACE, **POLL)
    assert groups.get(group.servergroup_id, **PLACE).instances == []
    refused(409, instances.remove_from_placement_group, instance.id, **PLACE)

    started = instances.add_to_placement_group(instance.id, **PLACE, servergroup_id=other.servergroup_id)
    assert api.cloud.tasks.poll(started.tasks[0]).task_type == "put_into_server_group"
    started = instances.remove_from_placement_group(instance.id, **PLACE)
    assert api.cloud.tasks.poll(started.tasks[0]).task_type == "remove_from_server_group"

    api.cloud.tasks.poll(groups.delete(group.servergroup_id, **PLACE).tasks[0])
    api.cloud.tasks.poll(groups.delete(other.servergroup_id, **PLACE).tasks[0])
    refused(404, groups.get, group.servergroup_id, **PLACE)
    instances.delete_and_poll(instance.id, **PLACE)


STEPS: list = [
    security_groups_come_and_go,
    rules_come_and_go,
    the_default_group_can_be_changed,
    instances_have_security_groups,
    instances_are_placed_together,
]
