"""KV stores. The client does not know their data, so the last step calls their paths itself."""

from __future__ import annotations

import hashlib
from typing import Any

from harness import refused

AREAS = ["fastedge.kv_stores"]

OWN_DATABASE = {"url": "redis://db.example", "prefix": "site"}


def stores(api: Any) -> None:
    kv = api.fastedge.kv_stores
    site = kv.create(name="site", comment="content of the edge")
    assert site.revision == 0 and site.size == 0 and site.app_count == 0 and site.updated_at
    elsewhere = kv.create(name="elsewhere", byod=OWN_DATABASE)
    shown = kv.get(elsewhere.id)
    assert shown.byod.prefix == "site" and shown.revision is None and shown.updated_at is None
    assert kv.get(site.id).comment == "content of the edge"
    assert [store.id for store in kv.list(search="where").stores] == [elsewhere.id]
    page = kv.list(limit=1, offset=1)
    assert page.count == 2 and [store.id for store in page.stores] == [elsewhere.id]
    assert kv.list(app_id=7).stores == []
    refused(400, lambda: kv.create(name=""))
    refused(400, lambda: kv.list(limit=0))


def stores_are_replaced(api: Any) -> None:
    kv = api.fastedge.kv_stores
    (site,), (elsewhere,) = (kv.list(search=name).stores for name in ("site", "elsewhere"))
    assert kv.replace(site.id, name="site", comment="changed").comment == "changed"
    # What a replacement leaves out is empty afterwards, but no store changes its type.
    assert kv.replace(site.id, name="pages").comment == ""
    assert kv.get(site.id).name == "pages"
    moved = kv.replace(elsewhere.id, name="elsewhere", byod={**OWN_DATABASE, "prefix": "other"})
    assert moved.byod.prefix == "other" and kv.get(elsewhere.id).byod.prefix == "other"
    refused(400, lambda: kv.replace(site.id, name="pages", byod=OWN_DATABASE))
    refused(404, lambda: kv.replace(0, name="pages"))
    kv.delete(elsewhere.id)
    refused(404, lambda: kv.get(elsewhere.id))


def data(api: Any) -> None:
    (store,) = api.fastedge.kv_stores.list(search="pages").stores
    path = f"/fastedge/v1/kv/{store.id}/data"

    def read(query: str = "") -> Any:
        return api.get(path + query, cast_to=object)

    members = [{"value": "ann", "score": 1.5}, {"value": "ben", "score": 3}]
    written = api.put(
        path,
        cast_to=object,
        body=[
            {"op": "add", "key": "greeting", "datatype": "kv", "payload": {"value": "hello"}},
            {"op": "add", "key": "players", "datatype": "sorted_set", "payload": members},
            {"op": "add", "key": "seen", "datatype": "bloom_filter", "payload": [{"value": "x"}]},
        ],
    )
    assert written["write_count"] == 4 and written["revision"] == 1, written
    assert api.fastedge.kv_stores.get(store.id).size == written["store_size"] > 0
    assert read()["count"] == 3
    assert [entry["key"] for entry in read("?min_score=2&data_type=sorted_set")["entries"]] == ["players"]
    assert read("?max_score=1&data_type=sorted_set")["entries"] == []
    assert [member["value"] for member in read("/players?max_score=2")["payload"]] == ["ann"]
    digest = hashlib.sha256(b"ben").hexdigest()
    assert read(f"/players?hash={digest}") == {
        "key": "players",
        "datatype": "sorted_set",
        "payload": [{"value": "ben", "encoding": "plain", "score": 3}],
        "count": 1,
    }
    refused(400, lambda: read("?min_score=high"))
    refused(404, lambda: read("/nobody"))
    api.fastedge.kv_stores.delete(store.id)
    refused(404, read)


STEPS = [stores, stores_are_replaced, data]
