"""SFTP storages, their keys and the places where they can be made."""

from __future__ import annotations

from typing import Any

import gcore

from harness import refused, until

AREAS = ["storage.locations", "storage.sftp_storages", "storage.ssh_keys"]

PLACE = "s-region-1"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJqFv0JY0rK0bDO5x8pDnVQGiUDVhzxY5r8Uz2m9dQyN"
# The client demands a text where the API documents null, so each storage here has both.
TEXTS = {"expires": "2 years 6 months", "server_alias": "films.example"}


def locations(api: Any) -> None:
    every = api.storage.locations.list(limit=10, offset=0).results
    names = [location.name for location in every]
    assert PLACE in names and names == sorted(names), names
    assert {location.type for location in every} == {"sftp", "s3_compatible"}
    sftp = api.storage.locations.list(type="sftp", order_by="name.desc").results
    assert [location.name for location in sftp] == ["s-region-2", PLACE], sftp
    assert api.storage.locations.list(limit=1, offset=1).count == len(names)
    refused(400, lambda: api.storage.locations.list(type="slow"))


def ssh_keys(api: Any) -> None:
    keys = api.storage.ssh_keys
    first, second = (keys.create(name=name, public_key=f"{KEY} {name}") for name in ("ingest-a", "ingest-b"))
    assert keys.get(first.id).public_key == f"{KEY} ingest-a"
    found = keys.list(name="ingest", order_by="name.desc", limit=1, offset=1)
    assert found.count == 2 and [key.id for key in found.results] == [first.id], found
    refused(409, lambda: keys.create(name="ingest-a", public_key=KEY))
    refused(400, lambda: keys.create(name="dsa", public_key="ssh-dss AAAA"))
    # What a removed key could open, it no longer opens.
    storage = api.storage.sftp_storages.create(
        location_name=PLACE, name="keyed", password_mode="none", ssh_key_ids=[first.id, second.id], **TEXTS
    )
    keys.delete(first.id)
    refused(404, lambda: keys.get(first.id))
    assert api.storage.sftp_storages.get(storage.id).ssh_key_ids == [second.id]
    api.storage.sftp_storages.delete(storage.id)
    keys.delete(second.id)


def sftp_storages_are_made(api: Any) -> None:
    storages = api.storage.sftp_storages
    options = {"is_http_disabled": True, "has_custom_config_file": True}
    made = storages.create(location_name=PLACE, name="films", password_mode="auto", **options, **TEXTS)
    assert made.has_password and len(made.password) >= 8
    assert made.full_name.endswith("-films") and made.is_http_disabled and made.has_custom_config_file
    shown = storages.get(made.id)
    assert shown.expires == TEXTS["expires"] and shown.server_alias == TEXTS["server_alias"]
    assert "password" not in shown.to_dict()
    own = storages.create(
        location_name="s-region-2", name="own", password_mode="set", password="my own word", **TEXTS
    )
    assert own.password == "my own word"
    refused(409, lambda: storages.create(location_name=PLACE, name="films", password_mode="none"))
    refused(400, lambda: storages.create(location_name="nowhere", name="x", password_mode="none"))
    refused(400, lambda: storages.create(location_name=PLACE, name="x", password_mode="set"))
    refused(400, lambda: storages.create(location_name=PLACE, name="x", password_mode="none", ssh_key_ids=[0]))


def sftp_storages_are_changed(api: Any) -> None:
    storages = api.storage.sftp_storages
    (films,) = storages.list(name="films").results
    key = api.storage.ssh_keys.create(name="editor", public_key=KEY)
    changed = storages.update(
        films.id,
        expires="1 month",
        server_alias="cinema.example",
        is_http_disabled=False,
        has_custom_config_file=False,
        password_mode="set",
        password="another word",
        ssh_key_ids=[key.id],
    )
    assert changed.password == "another word" and changed.ssh_key_ids == [key.id]
    kept = storages.update(films.id, password_mode="none")
    assert not kept.has_password and kept.password is None
    assert kept.expires == "1 month" and kept.server_alias == "cinema.example" and kept.ssh_key_ids == [key.id]
    assert not kept.is_http_disabled and not kept.has_custom_config_file
    refused(400, lambda: storages.update(films.id, password="without a mode"))
    # The API documents null for what was removed, and the client refuses it.
    try:
        storages.update(films.id, server_alias="")
    except gcore.APIResponseValidationError as error:
        assert error.body["server_alias"] is None, error.body
    storages.update(films.id, server_alias="cinema.example")


def sftp_storages_are_listed(api: Any) -> None:
    storages = api.storage.sftp_storages
    films, own = (storages.list(name=name).results[0] for name in ("films", "own"))

    def ids(**query: Any) -> list[int]:
        return [storage.id for storage in storages.list(**query).results]

    assert ids(id=str(own.id)) == [own.id]
    assert ids(location_name="s-region-2") == [own.id]
    until(lambda: ids() == [own.id, films.id], "the storage of the keys is gone")
    assert ids(order_by="name.asc") == [films.id, own.id] == ids(order_by="created_at.asc")
    assert ids(limit=1, offset=1) == [films.id]
    until(lambda: ids(provisioning_status="active") == [own.id, films.id], "both are active")
    storages.delete(own.id)
    until(lambda: ids(id=str(own.id)) == [], "one is gone")
    refused(404, lambda: storages.get(own.id))
    assert ids() == [films.id]
    assert own.id in ids(show_deleted=True, provisioning_status="deleted")
    refused(400, lambda: storages.list(provisioning_status="lost"))
    storages.delete(films.id)


STEPS = [locations, ssh_keys, sftp_storages_are_made, sftp_storages_are_changed, sftp_storages_are_listed]
