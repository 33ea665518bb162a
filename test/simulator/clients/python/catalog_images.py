"""Images."""

from __future__ import annotations

from typing import Any

from harness import refused

AREAS: list[str] = ["cloud.instances.images"]

PLACE = {"project_id": 1, "region_id": 1}
POLL = {"polling_interval_seconds": 1, "polling_timeout_seconds": 60}
SETTINGS = {
    "architecture": "aarch64",
    "hw_firmware_type": "uefi",
    "hw_machine_type": "q35",
    "is_baremetal": True,
    "os_type": "linux",
    "ssh_key": "required",
}
URL = "https://images.example/cirros.img"


def images_are_uploaded(api: Any) -> None:
    images = api.cloud.instances.images
    made = images.upload_and_poll(
        **PLACE,
        **POLL,
        **SETTINGS,
        name="Cirros-A",
        url=URL,
        cow_format=True,
        os_distro="cirros",
        os_version="0.4",
        tags={"env": "dev"},
    )
    assert (made.name, made.status, made.visibility, made.disk_format) == ("Cirros-A", "active", "private", "raw")
    assert {name: getattr(made, name) for name in SETTINGS} == SETTINGS
    assert made.size and made.task_id is None
    started = images.upload(
        **PLACE,
        **SETTINGS,
        name="Cirros-B",
        url=URL,
        cow_format=False,
        os_distro=None,
        os_version=None,
        tags={"env": "dev", "team": "a"},
    )
    task = api.cloud.tasks.poll(started.tasks[0])
    [second] = task.created_resources.images
    assert task.task_type == "download_image" and images.get(second, **PLACE).disk_format == "qcow2"

    assert [row.id for row in images.list(**PLACE, name="cirros-")] == [made.id, second]
    assert [row.id for row in images.list(**PLACE, os_distro="CIRROS", os_version="0.4")] == [made.id]
    assert [row.name for row in images.list(**PLACE, os_distro="Ubuntu")] == ["ubuntu-24.04-x64"]
    assert [row.id for row in images.list(**PLACE, architecture="aarch64", limit=1, offset=1).results] == [second]
    assert [row.id for row in images.list(**PLACE, private="1")] == [made.id, second]
    assert [row.id for row in images.list(**PLACE, visibility="private", tag_key=["team"])] == [second]
    assert len(list(images.list(**PLACE, tag_key_value='{"env": "dev"}'))) == 2
    assert [row.price_status for row in images.list(**PLACE, include_prices=True)][0] == "show"
    assert images.get(made.id, **PLACE, include_prices=True).price_per_hour > 0
    assert images.get(made.id, **PLACE).price_per_hour is None

    changed = images.update(
        made.id,
        **PLACE,
        name="Cirros-C",
        hw_firmware_type="bios",
        hw_machine_type="i440",
        is_baremetal=False,
        os_type="windows",
        ssh_key="deny",
        tags={"env": None, "new": "yes"},
    )
    assert (changed.name, changed.hw_firmware_type, changed.hw_machine_type) == ("Cirros-C", "bios", "i440")
    assert (changed.is_baremetal, changed.os_type, changed.ssh_key) == (False, "windows", "deny")
    assert [tag.key for tag in changed.tags_v2] == ["new"]

    refused(400, images.upload, **PLACE, name="bad", url="no url")
    [ubuntu] = images.list(**PLACE, os_distro="ubuntu")
    refused(409, images.delete, ubuntu.id, **PLACE)
    api.cloud.tasks.poll(images.delete(made.id, **PLACE).tasks[0])
    images.delete_and_poll(second, **PLACE, **POLL)
    refused(404, images.get, made.id, **PLACE)


def images_are_made_from_volumes(api: Any) -> None:
    images, instances = api.cloud.instances.images, api.cloud.instances
    [debian] = images.list(**PLACE, os_distro="debian")
    instance = instances.create_and_poll(
        **PLACE,
        flavor="g2-standard-1-2",
        name="golden",
        interfaces=[{"type": "external"}],
        volumes=[
            {"source": "image", "image_id": debian.id, "size": 12, "boot_index": 0, "delete_on_termination": True},
            {"source": "new-volume", "size": 3, "delete_on_termination": True},
        ],
    )
    boot, data = [volume.id for volume in instance.volumes]
    made = images.create_from_volume_and_poll(
        **PLACE, **POLL, **SETTINGS, name="golden-a", volume_id=boot, source="volume", tags={"env": "dev"}
    )
    assert (made.status, made.min_disk, made.visibility) == ("active", 12, "private")
    assert {name: getattr(made, name) for name in SETTINGS} == SETTINGS
    started = images.create_from_volume(
        **PLACE, **SETTINGS, name="golden-b", volume_id=boot, source="volume", tags={"env": "dev"}
    )
    task = api.cloud.tasks.poll(started.tasks[0])
    assert task.task_type == "create_image"
    refused(400, images.create_from_volume, **PLACE, name="data", volume_id=data)
    refused(404, images.create_from_volume, **PLACE, name="none", volume_id="none")
    for image in [made.id, *task.created_resources.images]:
        images.delete_and_poll(image, **PLACE)
    instances.delete_and_poll(instance.id, **PLACE)


STEPS: list = [images_are_uploaded, images_are_made_from_volumes]
