"""A machine is made, changed and removed."""

from __future__ import annotations

import base64
from typing import Any

from compute_support import (
    NETWORK, NOWHERE, PLACE, POLL, PRIVATE, SUBNET, UBUNTU, WINDOWS,
    boot_volume, finish, gone, make_instance, make_volume, refused,
)

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJqfA5W2jv8sXcQ1d0mXb9gq7v3m2kqk9v0a1b2c3d4e admin@example"


def creates_an_instance_with_everything(api: Any) -> None:
    api.post("/cloud/v1/ssh_keys/1", cast_to=object, body={"name": "admin", "public_key": KEY})
    group = api.cloud.placement_groups.create(name="apart", policy="anti-affinity", **PLACE)
    common = {
        "flavor": "g2-standard-2-4",
        "ssh_key_name": "admin",
        "username": "admin",
        "password": "Secret-123",
        "user_data": base64.b64encode(b"#cloud-config").decode(),
        "security_groups": [],
        "servergroup_id": group.servergroup_id,
        "allow_app_ports": True,
        "configuration": {"edition": "small"},
        "tags": {"team": "web"},
        **PLACE,
    }
    interfaces = [{"type": "external", "ip_family": "dual", "interface_name": "eth0"}]
    volumes = [boot_volume(tags={"of": "volume"}), {"source": "new-volume", "size": 5, "name": "data"}]
    body = {"interfaces": interfaces, "volumes": volumes, **common}
    made = api.cloud.instances.create_and_poll(name="web-1", **body, **POLL)
    assert made.status == "ACTIVE" and made.ssh_key_name == "admin" and len(made.volumes) == 2
    assert made.flavor.architecture == "x86_64"
    assert [address.interface_name for address in made.addresses["pub_net"]] == ["eth0", "eth0"]
    template = {**body, "interfaces": [PRIVATE]}
    by_address = api.cloud.instances.create_and_poll(name_template="web.{one_ip_octet}", **template, **POLL)
    address = by_address.addresses["private"][0]
    assert by_address.name == f"web.{address.addr.split('.')[-1]}" and address.subnet_id == SUBNET
    task = finish(api, api.cloud.instances.create(name="web-2", **body))
    assert len(task.created_resources.instances) == 1 and len(task.created_resources.volumes) == 2
    task = finish(api, api.cloud.instances.create(name_template="web.{ip_octets}", **body))
    api.cloud.instances.update(task.created_resources.instances[0], name="web-3", tags={"team": None}, **PLACE)
    changed = api.cloud.instances.get(task.created_resources.instances[0], **PLACE)
    assert changed.name == "web-3" and changed.tags == []


def refuses_what_does_not_exist(api: Any) -> None:
    def create(**change: Any) -> None:
        body = {"flavor": "g2-standard-2-4", "interfaces": [PRIVATE], "volumes": [boot_volume()], **change}
        refused(400, api.cloud.instances.create, **body, **PLACE)

    create(flavor="g9-standard")
    create(ssh_key_name="nobody")
    create(volumes=[boot_volume(image_id=NOWHERE)])
    create(volumes=[boot_volume(size=1)])
    create(volumes=[{"source": "snapshot", "snapshot_id": NOWHERE, "size": 5}])
    create(interfaces=[{"type": "any_subnet", "network_id": NOWHERE}])
    create(interfaces=[{"type": "subnet", "network_id": NETWORK, "subnet_id": NOWHERE}])
    create(interfaces=[{**PRIVATE, "ip_address": "192.0.2.1"}])
    windows = boot_volume(image_id=WINDOWS, size=60)
    create(volumes=[windows], username="admin", password="Secret-123")
    make_instance(api, "windows", volumes=[windows], username="", password="Secret-123")


def older_clients_name_several(api: Any) -> None:
    body = {"flavor": "g2-standard-2-4", "interfaces": [PRIVATE], "volumes": [boot_volume()]}
    old = {"names": ["old-1", "old-2"], "metadata": {"of": "old"}, "username": "", "password": ""}
    answer = api.cloud.instances.create(**body, extra_body=old, **PLACE)
    assert len(answer.tasks) == 2
    finish(api, answer)
    rows = api.cloud.instances.list(name="old-", tag_key_value='{"of":"old"}', order_by="name.asc", **PLACE)
    assert [row.name for row in rows] == ["old-1", "old-2"]


def acts_on_an_instance(api: Any) -> None:
    instances, instance_id = api.cloud.instances, make_instance(api, "acting").id
    for action, status in [
        ("stop", "SHUTOFF"), ("start", "ACTIVE"), ("suspend", "SUSPENDED"), ("resume", "ACTIVE"),
        ("reboot", "ACTIVE"), ("reboot_hard", "ACTIVE"),
    ]:
        done = instances.action_and_poll(instance_id, action=action, **PLACE)
        assert done.status == status, action
    refused(409, instances.action, instance_id, action="resume", **PLACE)
    finish(api, instances.action(instance_id, action="stop", **PLACE))
    refused(409, instances.get_console, instance_id, **PLACE)
    finish(api, instances.action(instance_id, action="start", activate_profile=True, **PLACE))
    instances.action_and_poll(instance_id, action="stop", **PLACE)
    instances.action_and_poll(instance_id, action="start", activate_profile=True, **PLACE)
    console = instances.get_console(instance_id, console_type="spice", **PLACE)
    assert console.remote_console.type == "spice"
    refused(400, instances.get_console, instance_id, console_type="serial", **PLACE)


def resizes_an_instance(api: Any) -> None:
    instances, instance_id = api.cloud.instances, make_instance(api, "growing").id
    done = instances.resize_and_poll(instance_id, flavor_id="g2-standard-4-8", **PLACE, **POLL)
    assert done.flavor.flavor_id == "g2-standard-4-8" and done.flavor.vcpus == 4
    finish(api, instances.resize(instance_id, flavor_id="g2-standard-1-2", **PLACE))
    assert instances.get(instance_id, **PLACE).flavor.ram == 2048
    refused(400, instances.resize, instance_id, flavor_id="huge", **PLACE)


def deletes_an_instance_with_what_is_named(api: Any) -> None:
    instances = api.cloud.instances
    floating = {**PRIVATE, "floating_ip": {"source": "new"}}
    for delete in [lambda **query: instances.delete_and_poll(**query, **POLL),
                   lambda **query: finish(api, instances.delete(**query))]:
        reserved = api.cloud.reserved_fixed_ips.create_and_poll(type="any_subnet", network_id=NETWORK, **PLACE)
        by_port = {"type": "reserved_fixed_ip", "port_id": reserved.port_id}
        made = make_instance(api, "leaving", interfaces=[floating, by_port])
        assert reserved.fixed_ip_address in [item.addr for item in made.addresses["private"]]
        (ip,) = [row for row in api.cloud.floating_ips.list(**PLACE) if row.instance and row.instance.id == made.id]
        refused(400, instances.delete, made.id, volumes=NOWHERE, **PLACE)
        named = {"volumes": made.volumes[0].id, "floatings": ip.id, "reserved_fixed_ips": reserved.port_id}
        delete(instance_id=made.id, **named, **PLACE)
        gone(api, instances, made.id)
        gone(api, api.cloud.volumes, made.volumes[0].id)
        gone(api, api.cloud.floating_ips, ip.id)
        gone(api, api.cloud.reserved_fixed_ips, reserved.port_id)
        other = make_instance(api, "leaving", interfaces=[floating])
        delete(instance_id=other.id, delete_floatings=True, **PLACE)
        assert api.cloud.volumes.get(other.volumes[0].id, **PLACE).status == "available"
        api.cloud.volumes.delete_and_poll(other.volumes[0].id, **PLACE)


def boots_from_a_volume_and_from_a_snapshot(api: Any) -> None:
    volume = make_volume(api, "boot", source="image", image_id=UBUNTU, size=12, type_name="ssd_hiiops")
    snapshot = api.cloud.volume_snapshots.create_and_poll(name="before", volume_id=volume.id, **PLACE)
    existing = {"source": "existing-volume", "volume_id": volume.id, "boot_index": 0}
    one = make_instance(api, "from-volume", volumes=[existing])
    copy = {"source": "snapshot", "snapshot_id": snapshot.id, "size": 12, "boot_index": 0}
    other = make_instance(api, "from-snapshot", volumes=[copy])
    copied = api.cloud.volumes.get(other.volumes[0].id, **PLACE)
    assert one.volumes[0].id == volume.id and copied.volume_type == "ssd_hiiops" and copied.bootable
    assert api.cloud.volumes.get(volume.id, **PLACE).is_root_volume
    body = {"flavor": "g2-standard-2-4", "interfaces": [PRIVATE], "volumes": [existing]}
    refused(409, api.cloud.instances.create, name="again", **body, **PLACE)


STEPS = [
    creates_an_instance_with_everything,
    refuses_what_does_not_exist,
    older_clients_name_several,
    acts_on_an_instance,
    resizes_an_instance,
    deletes_an_instance_with_what_is_named,
    boots_from_a_volume_and_from_a_snapshot,
]
