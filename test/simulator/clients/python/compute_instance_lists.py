"""Every filter of the list of instances returns just what matches."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from compute_support import PLACE, PRIVATE, make_instance

PUBLIC = {"type": "external", "interface_name": "eth0"}


def lists_instances_by_every_filter(api: Any) -> None:
    one = make_instance(api, "list-a", tags={"tier": "front", "of": "list"}, interfaces=[PUBLIC])
    two = make_instance(api, "list-b", tags={"tier": "back", "of": "list"}, flavor="g2-memory-2-8")
    api.cloud.instances.action_and_poll(two.id, action="stop", **PLACE)
    public_ip = one.addresses["pub_net"][0].addr

    def names(**query: Any) -> list[str]:
        rows = api.cloud.instances.list(**{"name": "list-", **query}, **PLACE)
        return sorted(row.name for row in rows)

    both, first, second = ["list-a", "list-b"], ["list-a"], ["list-b"]
    hour = timedelta(hours=1)
    now = datetime.now(timezone.utc)
    for query, expected in [
        ({}, both),
        ({"name": "st-a"}, first),
        ({"uuid": one.id[4:30]}, first),
        ({"status": "SHUTOFF"}, second),
        ({"flavor_id": "g2-memory-2-8"}, second),
        ({"flavor_prefix": "g2-standard"}, first),
        ({"exclude_flavor_prefix": "g2-standard"}, second),
        ({"exclude_secgroup": "default"}, []),
        ({"ip": public_ip[:-1]}, first),
        ({"available_floating": True}, second),
        ({"only_with_fixed_external_ip": True}, first),
        ({"only_isolated": True}, []),
        ({"changes_since": now - hour}, both),
        ({"changes_since": now + hour}, []),
        ({"changes_before": now + hour}, both),
        ({"changes_before": now - hour}, []),
        ({"tag_key_value": '{"tier":"front"}'}, first),
        ({"tag_value": ["list", "back"]}, second),
        ({"include_ai": True, "include_baremetal": True, "include_k8s": False}, both),
    ]:
        assert names(**query) == expected, (query, names(**query))

    page = api.cloud.instances.list(name="list-", order_by="name.desc", limit=1, offset=1, **PLACE)
    assert [row.name for row in page.results] == first and page.count == 2
    (plain,) = api.cloud.instances.list(uuid=one.id, **PLACE)
    (named,) = api.cloud.instances.list(uuid=one.id, with_interfaces_name=True, **PLACE)
    assert plain.addresses["pub_net"][0].interface_name is None
    assert named.addresses["pub_net"][0].interface_name == "eth0"


def lists_instances_by_their_protection(api: Any) -> None:
    one = make_instance(api, "guarded-a", interfaces=[PUBLIC])
    make_instance(api, "guarded-b", interfaces=[PRIVATE])
    profile = {"ip_address": one.addresses["pub_net"][0].addr, "profile_template": 13}
    api.post("/cloud/v1/ddos/profiles/1/1", cast_to=object, body=profile)

    def names(**query: Any) -> list[str]:
        rows = api.cloud.instances.list(name="guarded-", **query, **PLACE)
        return sorted(row.name for row in rows)

    assert names(with_ddos=True, type_ddos_profile="advanced") == ["guarded-a"]
    assert names(with_ddos=True, type_ddos_profile="basic") == ["guarded-b"]
    assert names(with_ddos=True, profile_name="Game server") == ["guarded-a"]
    assert names(with_ddos=True, protection_status="Error") == []
    assert len(names(profile_name="no such profile")) == 2
    (shown,) = api.cloud.instances.list(uuid=one.id, with_ddos=True, **PLACE)
    (hidden,) = api.cloud.instances.list(uuid=one.id, **PLACE)
    assert shown.ddos_profile is not None and hidden.ddos_profile is None


STEPS = [lists_instances_by_every_filter, lists_instances_by_their_protection]
