"""Volumes and their snapshots."""

from __future__ import annotations

from typing import Any

from compute_support import (
    NOWHERE, PLACE, POLL, UBUNTU, finish, gone, ids, make_instance, make_volume, refused,
)


def creates_volumes_from_every_source(api: Any) -> None:
    volumes, instance = api.cloud.volumes, make_instance(api, "holder")
    common = {"tags": {"of": "sources"}, "type_name": "standard", "lifecycle_policy_ids": [], **PLACE}
    to_instance = {"instance_id_to_attach_to": instance.id, "attachment_tag": "data"}
    empty = volumes.create_and_poll(source="new-volume", name="empty", size=3, **common, **to_instance, **POLL)
    assert empty.status == "in-use" and empty.attachments[0].server_id == instance.id
    assert empty.attachments[0].device == "/dev/vdb" and not empty.bootable
    image = volumes.create_and_poll(source="image", name="image", image_id=UBUNTU, size=10, **common, **POLL)
    assert image.bootable and image.volume_image_metadata["image_id"] == UBUNTU
    snapshot = api.cloud.volume_snapshots.create_and_poll(name="copy", volume_id=image.id, **PLACE)
    same = {"source": "snapshot", "snapshot_id": snapshot.id, "size": 10}
    copy = volumes.create_and_poll(name="copy", **same, **common, **POLL)
    assert copy.size == 10 and copy.bootable
    for body in [
        {"source": "new-volume", "name": "empty-2", "size": 3, **to_instance},
        {"source": "image", "name": "image-2", "image_id": UBUNTU, "size": 10},
        {"name": "copy-2", **same},
    ]:
        task = finish(api, volumes.create(**body, **common))
        assert len(task.created_resources.volumes) == 1
    refused(400, volumes.create, name="small", source="image", image_id=UBUNTU, size=1, **PLACE)
    refused(404, volumes.create, name="none", source="image", image_id=NOWHERE, size=10, **PLACE)
    refused(400, volumes.create, name="other", **{**same, "size": 11}, **PLACE)


def lists_volumes_by_every_filter(api: Any) -> None:
    instance = make_instance(api, "listed")
    one = make_volume(api, "find-a", tags={"tier": "hot"}, instance_id_to_attach_to=instance.id)
    two = make_volume(api, "find-b", tags={"cold": "yes"}, source="image", image_id=UBUNTU, size=10)

    def found(**query: Any) -> list[str]:
        rows = api.cloud.volumes.list(**{"name_part": "find-", **query}, **PLACE)
        return sorted(row.name for row in rows)

    for query, expected in [
        ({}, ["find-a", "find-b"]),
        ({"name_part": "nd-a"}, ["find-a"]),
        ({"id_part": two.id[3:20]}, ["find-b"]),
        ({"bootable": True}, ["find-b"]),
        ({"has_attachments": False}, ["find-b"]),
        ({"instance_id": instance.id}, ["find-a"]),
        ({"tag_key": ["cold"]}, ["find-b"]),
        ({"tag_key_value": '{"tier":"hot"}'}, ["find-a"]),
        ({"cluster_id": NOWHERE}, []),
    ]:
        assert found(**query) == expected, (query, found(**query))
    page = api.cloud.volumes.list(name_part="find-", limit=1, offset=1, **PLACE)
    assert page.count == 2 and ids(page.results) == [one.id]


def changes_a_volume(api: Any) -> None:
    volumes, volume = api.cloud.volumes, make_volume(api, "growing", tags={"old": "tag"})
    changed = volumes.update(volume.id, name="grown", tags={"old": None, "new": "tag"}, **PLACE)
    assert changed.name == "grown" and [tag.key for tag in changed.tags] == ["new"]
    assert volumes.resize_and_poll(volume.id, size=7, **PLACE, **POLL).size == 7
    finish(api, volumes.resize(volume.id, size=8, **PLACE))
    assert volumes.get(volume.id, **PLACE).size == 8
    refused(400, volumes.resize, volume.id, size=8, **PLACE)
    assert volumes.change_type(volume.id, volume_type="ssd_hiiops", **PLACE).volume_type == "ssd_hiiops"


def moves_a_volume_between_instances(api: Any) -> None:
    volumes, volume = api.cloud.volumes, make_volume(api, "moving")
    one, two = make_instance(api, "one"), make_instance(api, "two")
    move = {"volume_id": volume.id, **PLACE}
    volumes.attach_to_instance_and_poll(instance_id=one.id, attachment_tag="data", **move, **POLL)
    assert volumes.get(volume.id, **PLACE).attachments[0].server_id == one.id
    assert volume.id in ids(api.cloud.instances.get(one.id, **PLACE).volumes)
    refused(409, volumes.attach_to_instance, instance_id=two.id, **move)
    refused(409, volumes.delete, **move)
    refused(409, volumes.detach_from_instance, instance_id=two.id, **move)
    volumes.detach_from_instance_and_poll(instance_id=one.id, **move, **POLL)
    free = volumes.get(volume.id, **PLACE)
    assert free.status == "available" and free.attachments == []
    finish(api, volumes.attach_to_instance(instance_id=two.id, attachment_tag="data", **move))
    finish(api, volumes.detach_from_instance(instance_id=two.id, **move))
    root = two.volumes[0].id
    refused(409, volumes.detach_from_instance, root, instance_id=two.id, **PLACE)


def snapshots_and_reverts_a_volume(api: Any) -> None:
    volumes, snapshots, volume = api.cloud.volumes, api.cloud.volume_snapshots, make_volume(api, "kept")
    refused(409, volumes.revert_to_last_snapshot, volume.id, **PLACE)
    body = {"volume_id": volume.id, "description": "before", "tags": {"of": "kept"}, **PLACE}
    first = snapshots.create_and_poll(name="first", **body, **POLL)
    assert first.status == "available" and first.size == 5 and first.description == "before"
    task = finish(api, snapshots.create(name="second", **body))
    second = task.created_resources.snapshots[0]
    assert volumes.get(volume.id, **PLACE).snapshot_ids == [first.id, second]
    changed = snapshots.update(second, name="last", tags={"of": None}, **PLACE)
    assert changed.name == "last" and snapshots.get(second, **PLACE).tags == []
    volumes.revert_to_last_snapshot(volume.id, **PLACE)
    (task,) = api.cloud.tasks.list(task_type="revert_volume", limit=1).results
    assert task.data["snapshot_id"] == second
    refused(409, volumes.change_type, volume.id, volume_type="ssd_hiiops", **PLACE)
    snapshots.delete_and_poll(first.id, **PLACE, **POLL)
    gone(api, snapshots, first.id)
    volumes.delete_and_poll(volume.id, snapshots=second, **PLACE, **POLL)
    gone(api, snapshots, second)
    gone(api, volumes, volume.id)


def lists_snapshots_by_every_filter(api: Any) -> None:
    instance = make_instance(api, "snapped")
    attached = make_volume(api, "snapped", instance_id_to_attach_to=instance.id)
    other = make_volume(api, "apart")
    snapshots = api.cloud.volume_snapshots
    one = snapshots.create_and_poll(name="one", volume_id=attached.id, **PLACE)
    two = snapshots.create_and_poll(name="two", volume_id=other.id, **PLACE)
    assert ids(snapshots.list(volume_id=other.id, **PLACE)) == [two.id]
    assert ids(snapshots.list(instance_id=instance.id, **PLACE)) == [one.id]
    assert ids(snapshots.list(schedule_id=NOWHERE, **PLACE)) == []
    assert ids(snapshots.list(lifecycle_policy_id=1, **PLACE)) == []
    assert ids(snapshots.list(limit=1, offset=1, **PLACE).results) == [one.id]
    finish(api, snapshots.delete(two.id, **PLACE))
    finish(api, api.cloud.volumes.delete(other.id, snapshots="", **PLACE))


STEPS = [
    creates_volumes_from_every_source,
    lists_volumes_by_every_filter,
    changes_a_volume,
    moves_a_volume_between_instances,
    snapshots_and_reverts_a_volume,
    lists_snapshots_by_every_filter,
]
