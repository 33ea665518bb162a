"""Projects, regions, flavors, tasks and SSH keys of the cloud."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from harness import refused

AREAS: list[str] = [
    "cloud.projects",
    "cloud.regions",
    "cloud.tasks",
    "cloud.ssh_keys",
    "cloud.instances.flavors",
]

PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBp3Xkq0ePPKqJXcUnV6hZ2oGX1f2gkz0Pq0H3V9bq0c admin@example"


def projects_come_and_go(api: Any) -> None:
    projects = api.cloud.projects
    made = projects.create(name="crew", description="for tests")
    assert (made.name, made.description, made.is_default, made.state) == ("crew", "for tests", False, "ACTIVE")
    assert projects.get(project_id=made.id).name == "crew"
    changed = projects.update(project_id=made.id, name="crew-2", description="more tests")
    assert (changed.name, changed.description) == ("crew-2", "more tests")
    assert [row.id for row in projects.list(name="crew-2")] == [made.id]
    assert [row.name for row in projects.list(order_by="name.asc")] == ["Default", "Staging", "crew-2"]
    page = projects.list(limit=1, offset=1, order_by="created_at.asc")
    assert [row.id for row in page.results] == [2] and page.count == 3
    refused(409, projects.create, name="Default")
    refused(409, projects.delete, project_id=1)
    refused(404, projects.get, project_id=99)
    refused(404, api.cloud.networks.list, project_id=99, region_id=1)

    api.cloud.ssh_keys.create(project_id=made.id, name="left-behind")
    api.cloud.tasks.poll(projects.delete(project_id=made.id).tasks[0])
    assert made.id not in [row.id for row in projects.list()]
    [deleted] = [row for row in projects.list(include_deleted=True) if row.id == made.id]
    assert deleted.state == "DELETED" and deleted.deleted_at is not None
    refused(404, api.cloud.ssh_keys.list, project_id=made.id)


def regions_are_found(api: Any) -> None:
    regions = api.cloud.regions
    assert [row.id for row in regions.list(limit=2, offset=1)][:2] == [2, 76]
    assert [row.display_name for row in regions.list(order_by="display_name.asc")][0] == "Frankfurt"
    assert [row.id for row in regions.list(display_name="manassas-2")] == [76]
    assert [row.id for row in regions.list(product="inference")] == [1]
    [first] = [row for row in regions.list(show_volume_types=True) if row.id == 1]
    assert "standard" in (first.available_volume_types or [])
    assert regions.get(region_id=1).available_volume_types is None
    assert regions.get(region_id=1, show_volume_types=True).available_volume_types
    refused(404, regions.get, region_id=99)
    external = api.cloud.networks.get(first.external_network_id, project_id=1, region_id=1)
    assert external.external


def flavors_are_filtered(api: Any) -> None:
    place = {"project_id": 1, "region_id": 1}
    flavors = api.cloud.instances.flavors
    all_rows = list(flavors.list(**place))
    assert {row.os_type for row in flavors.list(**place, exclude_linux=True)} == {"windows"}
    assert {row.os_type for row in flavors.list(**place, exclude_windows=True)} == {"linux"}
    enabled = list(flavors.list(**place, disabled=False))
    assert 0 < len(enabled) < len(all_rows) and not any(row.disabled for row in enabled)
    [priced] = flavors.list(**place, include_prices=True, limit=1, offset=2).results
    assert priced.flavor_id == all_rows[2].flavor_id and priced.price_per_hour > 0 and priced.currency_code
    assert not hasattr(all_rows[0], "price_per_hour") and all_rows[0].hardware_description["vcpus"]


def tasks_are_listed_and_acknowledged(api: Any) -> None:
    tasks = api.cloud.tasks
    place = {"project_id": 2, "region_id": 2}
    before = datetime.now(timezone.utc) - timedelta(minutes=1)
    after = datetime.now(timezone.utc) + timedelta(minutes=1)
    ids = [api.cloud.networks.create(**place, name=f"net-{index}").tasks[0] for index in range(2)]
    done = [tasks.poll(task, polling_interval_seconds=1, polling_timeout_seconds=60) for task in ids]
    assert [task.state for task in done] == ["FINISHED", "FINISHED"]
    here = {"project_id": [2], "region_id": [2]}
    assert [row.id for row in tasks.list(**here, order_by="asc")] == ids
    assert [row.id for row in tasks.list(**here, sorting="asc")] == ids
    assert [row.id for row in tasks.list(**here, limit=1, offset=1, task_type="create_network").results] == ids[:1]
    assert list(tasks.list(**here, task_type="create_router")) == []
    assert len(list(tasks.list(**here, state=["FINISHED"], from_timestamp=before, to_timestamp=after))) == 2
    assert list(tasks.list(**here, from_timestamp=after)) == []

    task = tasks.acknowledge_one(ids[0])
    assert task.acknowledged_at and task.acknowledged_by
    assert tasks.get(ids[0]).acknowledged_at == task.acknowledged_at
    assert [row.id for row in tasks.list(**here, is_acknowledged=True)] == ids[:1]
    tasks.acknowledge_all(**place)
    assert list(tasks.list(**here, is_acknowledged=False)) == []
    refused(404, tasks.acknowledge_one, "none")


def ssh_keys_are_kept_or_generated(api: Any) -> None:
    keys = api.cloud.ssh_keys
    own = keys.create(project_id=1, name="own", public_key=PUBLIC_KEY, shared_in_project=False)
    assert own.private_key is None and own.public_key == PUBLIC_KEY and not own.shared_in_project
    assert len(own.fingerprint.split(":")) == 16
    generated = keys.create(project_id=1, name="generated")
    assert generated.private_key.startswith("-----BEGIN OPENSSH PRIVATE KEY-----")
    assert generated.public_key.startswith("ssh-ed25519 ") and generated.shared_in_project
    again = keys.get(generated.id, project_id=1)
    assert again.fingerprint == generated.fingerprint and not hasattr(again, "private_key")
    assert keys.update(own.id, project_id=1, shared_in_project=True).shared_in_project
    assert [key.name for key in keys.list(project_id=1, name="wn")] == ["own"]
    assert [key.name for key in keys.list(project_id=1, order_by="name.asc", limit=1, offset=1).results] == ["own"]
    refused(404, keys.get, own.id, project_id=2)
    refused(400, keys.create, project_id=1, name="bad", public_key="no key")
    keys.delete(own.id, project_id=1)
    keys.delete(generated.id, project_id=1)
    refused(404, keys.get, own.id, project_id=1)


STEPS: list = [
    projects_come_and_go,
    regions_are_found,
    flavors_are_filtered,
    tasks_are_listed_and_acknowledged,
    ssh_keys_are_kept_or_generated,
]
