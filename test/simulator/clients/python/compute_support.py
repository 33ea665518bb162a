"""What the steps about machines share."""

from __future__ import annotations

from typing import Any, Callable

from gcore import APIStatusError

PLACE = {"project_id": 1, "region_id": 1}
POLL = {"polling_interval_seconds": 1, "polling_timeout_seconds": 20}

UBUNTU = "f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1"
WINDOWS = "7c1c9a0e-0b1f-4d4f-8a55-6a4d0a0f5d11"
NETWORK = "5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa"
SUBNET = "1d0c7b4a-5e5f-4b0a-8b1f-3f2e1d0c9b8a"
NOWHERE = "00000000-0000-4000-8000-000000000000"

PRIVATE = {"type": "any_subnet", "network_id": NETWORK}


def boot_volume(**change: Any) -> dict[str, Any]:
    return {"source": "image", "image_id": UBUNTU, "size": 20, "boot_index": 0, **change}


def make_instance(api: Any, name: str, **change: Any) -> Any:
    body = {"flavor": "g2-standard-2-4", "interfaces": [PRIVATE], "volumes": [boot_volume()], **change}
    return api.cloud.instances.create_and_poll(name=name, **body, **PLACE, **POLL)


def make_volume(api: Any, name: str, **change: Any) -> Any:
    body = {"source": "new-volume", "size": 5, **change}
    return api.cloud.volumes.create_and_poll(name=name, **body, **PLACE, **POLL)


def finish(api: Any, answer: Any) -> Any:
    """The last task that the answer names, at its end."""
    tasks = [api.cloud.tasks.poll(task_id, **POLL) for task_id in answer.tasks]
    assert tasks and all(task.state == "FINISHED" for task in tasks)
    return tasks[-1]


def refused(status: int, call: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    try:
        call(*args, **kwargs)
    except APIStatusError as error:
        assert error.status_code == status, error
    else:
        raise AssertionError(f"was not refused with {status}")


def gone(api: Any, resource: Any, *args: Any) -> None:
    refused(404, resource.get, *args, **PLACE)


def ids(page: Any) -> list[str]:
    return [row.id for row in page]
