"""What the official client was asked for, beside everything that it can ask for.

A check is a method of the client, or one parameter of it. It has passed when a call with it came back and the client,
which validates strictly here, found every required field of the answer with a documented value. What no call covers is
missing, so a new version of the client or a forgotten parameter fails the test.
"""

from __future__ import annotations

import inspect
import traceback
from typing import Any, Callable

from gcore import APIStatusError

NOT_OF_THE_API = {"self", "extra_headers", "extra_query", "extra_body", "timeout"}


class Recorded:
    """A resource of the client. It notes each method that comes back, and the parameters that it had."""

    def __init__(self, target: Any, passed: set[str], path: str = "") -> None:
        self._target = target
        self._passed = passed
        self._path = path

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        path = f"{self._path}.{name}" if self._path else name
        if not inspect.ismethod(value):
            return Recorded(value, self._passed, path)

        def call(*args: Any, **kwargs: Any) -> Any:
            answer = value(*args, **kwargs)
            names = inspect.signature(value).bind(*args, **kwargs).arguments
            self._passed.update([path, *(f"{path}({name})" for name in names)])
            return answer

        return call


def checks_of(client: Any, area: str) -> set[str]:
    """Every method of a resource, or one method, and every parameter of it."""
    resource = client
    for name in area.split("."):
        resource = getattr(resource, name)
    if inspect.ismethod(resource):
        return _checks_of_method(area, resource)
    checks: set[str] = set()
    for name, method in inspect.getmembers(type(resource), inspect.isfunction):
        if name.startswith("_"):
            continue
        checks |= _checks_of_method(f"{area}.{name}", method)
    return checks


def _checks_of_method(path: str, method: Callable[..., Any]) -> set[str]:
    parameters = inspect.signature(method).parameters.keys() - NOT_OF_THE_API
    return {path, *(f"{path}({parameter})" for parameter in parameters)}


def refused(status: int, call: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """The call must be refused with this status."""
    try:
        call(*args, **kwargs)
    except APIStatusError as error:
        assert error.status_code == status, f"{error.status_code} instead of {status}: {error.message}"
    else:
        raise AssertionError(f"not refused with {status}")


Step = Callable[[Any], None]


def run(steps: list[Step], api: Any) -> list[dict[str, str]]:
    """Runs each step, also after one that failed. Returns what failed."""
    failures: list[dict[str, str]] = []
    for step in steps:
        try:
            step(api)
        except Exception:  # The report names it.
            failures.append({"step": step.__name__, "error": traceback.format_exc(limit=-4)})
    return failures


def until(holds: Callable[[], bool], what: str) -> None:
    """Looks again and again: what the API changes by itself takes milliseconds here."""
    for _ in range(1_000):
        if holds():
            return
    raise AssertionError(f"never: {what}")
