from __future__ import annotations

AREAS: list[str] = []
STEPS: list = []
