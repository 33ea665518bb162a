"""What instances are built on: projects, regions, keys, networks, images, groups."""

from __future__ import annotations

import catalog_account
import catalog_groups
import catalog_images
import catalog_networks

PARTS = [catalog_account, catalog_networks, catalog_images, catalog_groups]

AREAS: list[str] = [area for part in PARTS for area in part.AREAS]
STEPS: list = [step for part in PARTS for step in part.STEPS]
