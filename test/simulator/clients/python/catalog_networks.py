"""Networks and their subnets."""

from __future__ import annotations

from typing import Any

from harness import refused

AREAS: list[str] = ["cloud.networks", "cloud.networks.subnets"]

PLACE = {"project_id": 1, "region_id": 1}
POLL = {"polling_interval_seconds": 1, "polling_timeout_seconds": 60}


def networks_come_and_go(api: Any) -> None:
    networks = api.cloud.networks
    made = networks.create_and_poll(**PLACE, **POLL, name="office", type="vlan", create_router=False, tags={"env": "dev"})
    assert (made.name, made.type, made.subnets, made.external, made.shared) == ("office", "vlan", [], False, False)
    assert [(tag.key, tag.value, tag.read_only) for tag in made.tags] == [("env", "dev", False)]
    assert made.task_id is None and made.creator_task_id
    started = networks.create(**PLACE, name="store", type="vxlan", create_router=True, tags={"env": "dev", "team": "a"})
    task = api.cloud.tasks.poll(started.tasks[0])
    assert task.task_type == "create_network" and len(task.created_resources.routers) == 1
    [store] = task.created_resources.networks

    assert [row.id for row in networks.list(**PLACE, name="office")] == [made.id]
    assert [row.id for row in networks.list(**PLACE, network_type="vlan")] == [made.id]
    assert [row.id for row in networks.list(**PLACE, tag_key=["env", "team"])] == [store]
    assert [row.id for row in networks.list(**PLACE, tag_key_value='{"env": "dev"}', order_by="name.asc")] == [
        made.id,
        store,
    ]
    assert [row.name for row in networks.list(**PLACE, limit=1, offset=1, order_by="name.desc").results] == ["private"]
    assert [row.id for row in networks.list(project_id=1, region_id=2, name="office")] == []
    owned = {row.name for row in networks.list(**PLACE)}
    usable = {row.name: row for row in networks.list(**PLACE, owned_by="any")}
    assert {"pub_net", "shared"} == set(usable) - owned and usable["shared"].shared
    assert list(networks.list(**PLACE, external=True)) == []
    assert [row.name for row in networks.list(**PLACE, external=True, owned_by="any")] == ["pub_net"]

    changed = networks.update_and_poll(made.id, **PLACE, **POLL, name="office-2", tags={"env": None, "floor": "3"})
    assert changed.name == "office-2" and [(tag.key, tag.value) for tag in changed.tags] == [("floor", "3")]
    assert networks.update(made.id, **PLACE, name="office-2", tags={"floor": "3"}).tasks == []
    cleared = networks.update_and_poll(made.id, **PLACE, **POLL, tags=None)
    assert cleared.tags == []

    api.cloud.tasks.poll(networks.delete(made.id, **PLACE).tasks[0])
    refused(404, networks.get, made.id, **PLACE)
    networks.delete_and_poll(store, **PLACE, **POLL)
    refused(409, networks.delete, usable["private"].id, **PLACE)
    refused(400, networks.create, **PLACE, name="")


def subnets_come_and_go(api: Any) -> None:
    networks, subnets = api.cloud.networks, api.cloud.networks.subnets
    network = networks.create_and_poll(**PLACE, name="floor")
    routers = [
        task.created_resources.routers for task in api.cloud.tasks.list(project_id=[1], task_type="create_network", limit=1)
    ]
    made = subnets.create_and_poll(
        **PLACE,
        **POLL,
        network_id=network.id,
        name="floor-a",
        cidr="192.168.10.0/24",
        connect_to_network_router=True,
        router_id_to_connect=routers[0][0],
        dns_nameservers=["8.8.4.4"],
        enable_dhcp=False,
        gateway_ip="192.168.10.254",
        host_routes=[{"destination": "10.9.0.0/16", "nexthop": "192.168.10.9"}],
        ip_version=4,
        tags={"env": "dev"},
    )
    assert (made.cidr, made.gateway_ip, made.enable_dhcp, made.ip_version) == (
        "192.168.10.0/24",
        "192.168.10.254",
        False,
        4,
    )
    assert made.dns_nameservers == ["8.8.4.4"] and made.host_routes[0].nexthop == "192.168.10.9"
    assert (made.total_ips, made.available_ips) == (254, 253)
    assert networks.get(network.id, **PLACE).subnets == [made.id]

    started = subnets.create(
        **PLACE,
        network_id=network.id,
        name="floor-b",
        cidr="2001:db8:7::/64",
        connect_to_network_router=False,
        router_id_to_connect=None,
        dns_nameservers=None,
        enable_dhcp=True,
        gateway_ip=None,
        host_routes=None,
        ip_version=6,
        tags={"env": "dev", "team": "a"},
    )
    [second] = api.cloud.tasks.poll(started.tasks[0]).created_resources.subnets
    shown = subnets.get(second, **PLACE)
    assert (shown.gateway_ip, shown.total_ips, shown.ip_version) == (None, None, 6)

    assert [row.id for row in subnets.list(**PLACE, network_id=network.id)] == [made.id, second]
    assert [row.id for row in subnets.list(**PLACE, network_id=network.id, order_by="name.desc")] == [second, made.id]
    assert [row.id for row in subnets.list(**PLACE, tag_key=["team"])] == [second]
    assert len(list(subnets.list(**PLACE, tag_key_value='{"env": "dev"}'))) == 2
    assert subnets.list(**PLACE, limit=1, offset=1).results[0].name == "other-a"
    assert "shared-a" in [row.name for row in subnets.list(**PLACE, owned_by="any")]
    assert "shared-a" not in [row.name for row in subnets.list(**PLACE, owned_by="project")]

    changed = subnets.update(
        made.id,
        **PLACE,
        name="floor-c",
        dns_nameservers=["1.1.1.1"],
        enable_dhcp=True,
        gateway_ip=None,
        host_routes=[],
        tags={"env": None},
    )
    assert (changed.name, changed.dns_nameservers, changed.enable_dhcp) == ("floor-c", ["1.1.1.1"], True)
    assert (changed.gateway_ip, changed.host_routes, changed.tags, changed.available_ips) == (None, [], [], 254)

    wrong = {**PLACE, "network_id": network.id, "name": "wrong"}
    refused(400, subnets.create, **wrong, cidr="192.168.10.128/25")
    refused(400, subnets.create, **wrong, cidr="192.168.20.1/24")
    refused(400, subnets.create, **wrong, cidr="192.168.20.0/24", gateway_ip=None)
    refused(400, subnets.create, **wrong, cidr="192.168.20.0/24", gateway_ip="10.0.0.1")
    refused(404, subnets.create, **PLACE, network_id="none", name="wrong", cidr="192.168.20.0/24")

    api.cloud.tasks.poll(subnets.delete(made.id, **PLACE).tasks[0])
    api.cloud.tasks.poll(subnets.delete(second, **PLACE).tasks[0])
    assert networks.get(network.id, **PLACE).subnets == []
    networks.delete_and_poll(network.id, **PLACE)


def a_used_network_stays(api: Any) -> None:
    networks, instances = api.cloud.networks, api.cloud.instances
    network = networks.create_and_poll(**PLACE, name="used")
    subnet = networks.subnets.create_and_poll(**PLACE, network_id=network.id, name="used-a", cidr="10.0.0.0/16")
    instance = instances.create_and_poll(
        **PLACE,
        flavor="g2-standard-1-2",
        name="tenant",
        interfaces=[{"type": "subnet", "network_id": network.id, "subnet_id": subnet.id}],
        volumes=[{"source": "new-volume", "size": 5}],
    )
    refused(409, networks.delete, network.id, **PLACE)
    refused(409, networks.subnets.delete, subnet.id, **PLACE)
    instances.delete_and_poll(instance.id, **PLACE)
    networks.delete_and_poll(network.id, **PLACE)
    refused(404, networks.subnets.get, subnet.id, **PLACE)


STEPS: list = [networks_come_and_go, subnets_come_and_go, a_used_network_stays]
