"""Machines and what they are made of: instances, volumes, snapshots and addresses."""

from __future__ import annotations

import compute_addresses
import compute_instance_lists
import compute_instances
import compute_volumes

AREAS = [
    "cloud.instances",
    "cloud.instances.interfaces",
    "cloud.volumes",
    "cloud.volume_snapshots",
    "cloud.floating_ips",
    "cloud.reserved_fixed_ips",
]
STEPS = [
    *compute_instances.STEPS,
    *compute_instance_lists.STEPS,
    *compute_volumes.STEPS,
    *compute_addresses.STEPS,
]
