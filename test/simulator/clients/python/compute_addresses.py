"""Floating IPs, reserved addresses and the interfaces that they lead to."""

from __future__ import annotations

from typing import Any

from compute_support import (
    NETWORK, NOWHERE, PLACE, POLL, PRIVATE, SUBNET, finish, gone, ids, make_instance, refused,
)


def port_of(api: Any, instance: Any, index: int = 0) -> Any:
    return list(api.cloud.instances.interfaces.list(instance.id, **PLACE))[index]


def moves_a_floating_ip(api: Any) -> None:
    ips = api.cloud.floating_ips
    one, two = make_instance(api, "fip-one"), make_instance(api, "fip-two")
    port, other = port_of(api, one), port_of(api, two)
    address, other_address = port.ip_assignments[0].ip_address, other.ip_assignments[0].ip_address
    body = {"port_id": port.port_id, "fixed_ip_address": address, "tags": {"of": "move"}, **PLACE}
    ip = ips.create_and_poll(**body, **POLL)
    assert ip.status == "ACTIVE" and ip.fixed_ip_address == address
    assert ip.floating_ip_address in [item.addr for item in api.cloud.instances.get(one.id, **PLACE).addresses["private"]]
    refused(409, ips.create, **body)
    refused(404, ips.create, port_id=NOWHERE, **PLACE)
    target = {"port_id": other.port_id, "fixed_ip_address": other_address, **PLACE}
    moved = ips.update_and_poll(ip.id, tags={"of": "moved"}, **target, **POLL)
    assert moved.port_id == other.port_id and moved.tags[0].value == "moved"
    assert ips.update(ip.id, tags={"of": "moved"}, **target).tasks == []
    finish(api, ips.update(ip.id, port_id=None, **PLACE))
    free = ips.get(ip.id, **PLACE)
    assert free.status == "DOWN" and free.fixed_ip_address is None
    assert ips.assign(ip.id, **target).port_id == other.port_id
    refused(409, ips.assign, ip.id, **target)
    assert ips.unassign(ip.id, **PLACE).port_id is None
    refused(409, ips.unassign, ip.id, **PLACE)
    ips.delete_and_poll(ip.id, **PLACE, **POLL)
    gone(api, ips, ip.id)


def lists_floating_ips_by_every_filter(api: Any) -> None:
    ips, instance = api.cloud.floating_ips, make_instance(api, "fip-list")
    port = port_of(api, instance)
    used = {"port_id": port.port_id, "fixed_ip_address": port.ip_assignments[0].ip_address}
    task = finish(api, ips.create(**used, tags={"list": "a"}, **PLACE))
    (one,) = task.created_resources.floatingips
    two = ips.create_and_poll(tags={"list": "b"}, **PLACE).id
    (found,) = ips.list(port_ids=[port.port_id, NOWHERE], **PLACE)
    assert found.id == one and found.instance.id == instance.id
    assert one in ids(ips.list(status="ACTIVE", **PLACE)) and two not in ids(ips.list(status="ACTIVE", **PLACE))
    assert ids(ips.list(tag_key=["list"], **PLACE)) == [two, one]
    assert ids(ips.list(tag_key_value='{"list":"b"}', **PLACE)) == [two]
    assert ids(ips.list(tag_key=["list"], limit=1, offset=1, **PLACE).results) == [one]
    finish(api, ips.delete(two, **PLACE))


def reserves_addresses_of_every_type(api: Any) -> None:
    reserved, instance = api.cloud.reserved_fixed_ips, make_instance(api, "reserving", interfaces=[PRIVATE, PRIVATE])
    ports = [port_of(api, instance, index).port_id for index in (0, 1)]
    for create, port_id, address in [
        (lambda **body: reserved.create_and_poll(**body, **PLACE, **POLL), ports[0], "10.0.0.250"),
        (lambda **body: created_by(api, body), ports[1], "10.0.0.251"),
    ]:
        dual = create(type="external", ip_family="dual", is_vip=True)
        assert dual.is_external and dual.is_vip and dual.fixed_ip_address and dual.fixed_ipv6_address
        assert create(type="subnet", subnet_id=SUBNET, is_vip=False).subnet_id == SUBNET
        internal = create(type="any_subnet", network_id=NETWORK, ip_family="ipv4", is_vip=False)
        assert internal.network.name == "private" and internal.reservation.status == "available"
        exact = create(type="ip_address", network_id=NETWORK, ip_address=address, is_vip=False)
        assert exact.fixed_ip_address == address
        assert create(type="port", port_id=port_id).attachments[0].resource_id == instance.id
    refused(409, reserved.create, type="ip_address", network_id=NETWORK, ip_address="10.0.0.250", **PLACE)
    refused(409, reserved.create, type="port", port_id=ports[0], **PLACE)
    refused(400, reserved.create, type="any_subnet", network_id=NOWHERE, **PLACE)
    assert not reserved.update(dual.port_id, is_vip=False, **PLACE).is_vip
    reserved.delete_and_poll(dual.port_id, **PLACE, **POLL)
    finish(api, reserved.delete(internal.port_id, **PLACE))
    refused(409, reserved.delete, ports[0], **PLACE)
    gone(api, reserved, internal.port_id)


def created_by(api: Any, body: dict[str, Any]) -> Any:
    task = finish(api, api.cloud.reserved_fixed_ips.create(**body, **PLACE))
    return api.cloud.reserved_fixed_ips.get(task.created_resources.ports[0], **PLACE)


def lists_reserved_addresses_by_every_filter(api: Any) -> None:
    reserved = api.cloud.reserved_fixed_ips
    private = reserved.create_and_poll(type="ip_address", network_id=NETWORK, ip_address="10.0.0.240", **PLACE)
    public = reserved.create_and_poll(type="external", is_vip=True, **PLACE)
    instance = make_instance(api, "using", interfaces=[{"type": "reserved_fixed_ip", "port_id": private.port_id}])

    def found(**query: Any) -> list[str]:
        ports = [row.port_id for row in reserved.list(**query, **PLACE)]
        return [name for name, row in (("private", private), ("public", public)) if row.port_id in ports]

    for query, expected in [
        ({"available_only": True}, ["public"]),
        ({"device_id": instance.id}, ["private"]),
        ({"external_only": True}, ["public"]),
        ({"internal_only": True}, ["private"]),
        ({"ip_address": "^10.0.0.24"}, ["private"]),
        ({"vip_only": True}, ["public"]),
    ]:
        assert found(**query) == expected, query
    rows = list(reserved.list(order_by="fixed_ip_address.desc", **PLACE))
    assert rows[0].fixed_ip_address.startswith("240.")
    page = reserved.list(limit=1, offset=1, **PLACE)
    assert [row.port_id for row in page.results] == [private.port_id]
    api.cloud.instances.delete_and_poll(instance.id, **PLACE)
    assert reserved.get(private.port_id, **PLACE).reservation.status == "available"


def attaches_and_detaches_interfaces(api: Any) -> None:
    interfaces, instance = api.cloud.instances.interfaces, make_instance(api, "wired")
    reserved = api.cloud.reserved_fixed_ips.create_and_poll(type="subnet", subnet_id=SUBNET, **PLACE)
    common = {"interface_name": "eth1", "port_group": 0, "security_groups": [], **PLACE}
    protection = {"ddos_profile": {"profile_template": 13}}
    for attach, detach in [
        (lambda **body: interfaces.attach_and_poll(instance.id, **body, **common, **POLL),
         lambda **body: interfaces.detach_and_poll(instance.id, **body, **PLACE, **POLL)),
        (lambda **body: finish(api, interfaces.attach(instance.id, **body, **common)),
         lambda **body: finish(api, interfaces.detach(instance.id, **body, **PLACE))),
    ]:
        attach(type="external", ip_family="ipv4", **protection)
        attach(type="subnet", subnet_id=SUBNET)
        attach(type="any_subnet", network_id=NETWORK, ip_family="ipv4")
        attach(type="reserved_fixed_ip", port_id=reserved.port_id)
        attach(subnet_id=SUBNET)
        rows = list(interfaces.list(instance.id, **PLACE))
        assert len(rows) == 6 and rows[1].network_details.external and rows[1].interface_name == "eth1"
        assert rows[4].port_id == reserved.port_id
        for row in rows[1:]:
            detach(port_id=row.port_id, ip_address=row.ip_assignments[0].ip_address)
    page = interfaces.list(instance.id, limit=1, offset=1, **PLACE)
    assert page.count == 1 and page.results == []
    assert api.cloud.reserved_fixed_ips.get(reserved.port_id, **PLACE).attachments == []
    refused(409, interfaces.detach, instance.id, port_id=NOWHERE, ip_address="10.0.0.9", **PLACE)


def switches_the_security_of_a_port(api: Any) -> None:
    port_id = port_of(api, make_instance(api, "open")).port_id
    assert not api.cloud.instances.disable_port_security(port_id, **PLACE).port_security_enabled
    assert api.cloud.instances.enable_port_security(port_id, **PLACE).port_security_enabled
    refused(404, api.cloud.instances.enable_port_security, NOWHERE, **PLACE)


STEPS = [
    moves_a_floating_ip,
    lists_floating_ips_by_every_filter,
    reserves_addresses_of_every_type,
    lists_reserved_addresses_by_every_filter,
    attaches_and_detaches_interfaces,
    switches_the_security_of_a_port,
]
