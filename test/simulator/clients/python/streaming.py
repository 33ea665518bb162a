"""Videos and their subtitles."""

from __future__ import annotations

import base64
from typing import Any

from harness import refused, until

AREAS = ["streaming.videos", "streaming.videos.subtitles"]

ORIGIN = "https://files.example/interview.mp4"
PICTURE = "data:image/png;base64," + base64.b64encode(b"a picture").decode()
WEBVTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello"
SRT = "1\n00:00:01,000 --> 00:00:02,000\nHello\n"


def ended(api: Any, video_id: int) -> Any:
    """The video when its processing is over."""

    def has_ended() -> bool:
        video = api.streaming.videos.get(video_id)
        return video.status in ("ready", "error") or bool(video.error)

    until(has_ended, f"video {video_id} has ended")
    return api.streaming.videos.get(video_id)


def one_video(api: Any) -> None:
    videos = api.streaming.videos
    made = videos.create(
        video={
            "name": "Interview",
            "description": "The first one",
            "origin_url": ORIGIN,
            "origin_http_headers": "Authorization: Bearer abc",
            "priority": 10,
            "quality_set_id": 7,
            "clip_start_seconds": 2,
            "clip_duration_seconds": 3,
            "source_bitrate_limit": False,
            "directory_id": 800,
            "poster": PICTURE,
            "screenshot_id": -1,
            "client_user_id": 10,
            "projection": "vr360",
            "share_url": "https://share.example",
            "custom_iframe_url": "https://iframe.example",
            "auto_transcribe_audio_language": "ger",
            "auto_translate_subtitles_language": "eng,fre",
        }
    )
    assert made.name == "Interview" and made.priority == 10 and made.poster and made.projection == "vr360"
    video = ended(api, made.id)
    assert video.status == "ready" and video.error is None
    place = f"/videos/{video.client_id}_{video.slug}"
    assert video.hls_url.endswith(f"{place}/master.m3u8")
    assert video.hls_cmaf_url.endswith(f"{place}/master-cmaf.m3u8")
    assert video.dash_url.endswith(f"{place}/master.mpd") and video.iframe_url.endswith(place)
    assert video.duration == 3_000 < video.origin_video_duration and video.origin_size > 0
    assert len(video.screenshots) == 3 and video.screenshot == video.poster
    assert video.sprite and video.sprite_vtt and video.poster_thumb != video.poster
    assert len(video.converted_videos) > 2
    for rendition in video.converted_videos:
        assert rendition.status == "complete" and rendition.progress == 100 and rendition.size > 0
        assert rendition.mp4_url.endswith(f"_{rendition.height}.mp4")
    assert (video.quality_set_id, video.directory_id, video.client_user_id) == (7, 800, 10)
    assert video.share_url == "https://share.example" and video.custom_iframe_url == "https://iframe.example"
    assert video.origin_url == ORIGIN and video.views == video.cdn_views == 0
    refused(422, lambda: videos.create(video={"name": ""}))
    refused(422, lambda: videos.create(video={"name": "a", "priority": 11}))
    refused(422, lambda: videos.create(video={"name": "a", "poster": "data:image/gif;base64,AAAA"}))
    refused(422, lambda: videos.create(video={"name": "a", "clip_duration_seconds": 3}))


def many_videos(api: Any) -> None:
    videos = api.streaming.videos
    subtitles = [{"name": "English", "language": "eng", "vtt": WEBVTT}, {"language": "ger", "vtt": SRT}]
    made = videos.create_multiple(
        videos=[
            {"name": "Lesson 1", "origin_url": ORIGIN, "priority": -10, "subtitles": subtitles},
            {"name": "Lesson 2", "origin_url": f"{ORIGIN}?simulate=broken"},
            {"name": "Lesson 3", "origin_url": f"{ORIGIN}?simulate=not-found"},
        ]
    )
    assert [(video.name, video.priority) for video in made] == [("Lesson 1", -10), ("Lesson 2", 0), ("Lesson 3", 0)]
    first, second, third = (ended(api, video.id) for video in made)
    assert first.status == "ready" and len(first.screenshots) == 5 and first.screenshot == first.screenshots[0]
    assert second.status == "error" and second.error and second.hls_url is None
    assert {rendition.status for rendition in second.converted_videos} == {"error"}
    assert third.status == "empty" and third.error and third.duration is None
    found = videos.subtitles.list(first.id)
    assert [(text.name, text.language, text.vtt) for text in found] == [("English", "eng", WEBVTT), (None, "ger", SRT)]
    (narrow,) = videos.create_multiple(fields="id,status", videos=[{"name": "Lesson 4"}])
    assert narrow.to_dict() == {"id": narrow.id, "status": "empty"}, narrow
    refused(400, lambda: videos.create_multiple(videos=[]))
    refused(422, lambda: videos.create_multiple(videos=[{"name": "a"}, {"name": ""}]))


def lists(api: Any) -> None:
    videos = api.streaming.videos

    def names(**query: Any) -> list[str]:
        return [video.name for video in videos.list(**query).items]

    lessons = ["Lesson 4", "Lesson 3", "Lesson 2", "Lesson 1"]
    assert names() == [*lessons, "Interview"]
    assert names(search="Lesson") == lessons
    assert names(page=2, per_page=3) == ["Lesson 1", "Interview"]
    assert names(client_user_id=10) == ["Interview"]
    assert names(status="error") == ["Lesson 2"]
    assert names(stream_id=1) == []
    interview = videos.list(search="Interview").items[0]
    assert names(search=interview.slug) == names(id=f"{interview.id},0") == ["Interview"]
    assert "Interview" in names(search=str(interview.id))
    narrow = videos.list(id=str(interview.id), fields="id,name,hls_url,stream_id").items[0]
    assert narrow.to_dict() == {
        "id": interview.id, "name": "Interview", "hls_url": interview.hls_url, "stream_id": None
    }
    # The client throws the names away, so they are read from the answer itself.
    videos.list_names(ids=[interview.id])
    names_of = api.get(f"/streaming/videos/names?ids={interview.id},0", cast_to=object)
    assert names_of == [{"id": interview.id, "name": "Interview"}], names_of


def changes(api: Any) -> None:
    videos = api.streaming.videos
    (interview,) = videos.list(search="Interview").items
    changed = videos.update(
        interview.id,
        name="Interview, cut",
        description="shorter",
        client_user_id=11,
        directory_id=801,
        projection="regular",
        share_url="https://share2.example",
        custom_iframe_url="https://iframe2.example",
        screenshot_id=1,
        remote_poster_url="https://files.example/poster.jpg",
    )
    assert changed.name == "Interview, cut" and changed.description == "shorter" and changed.client_user_id == 11
    assert changed.directory_id == 801 and changed.projection == "regular"
    assert changed.share_url == "https://share2.example"
    assert changed.custom_iframe_url == "https://iframe2.example"
    assert changed.screenshot == changed.screenshots[1] and changed.poster not in (None, interview.poster)
    own = videos.update(interview.id, name="Interview", poster=PICTURE, screenshot_id=-1)
    assert own.screenshot == own.poster == interview.poster and own.description == "shorter"
    bare = videos.update(interview.id, name="Interview", remove_poster=True)
    assert bare.poster is None and bare.poster_thumb is None and bare.screenshot == bare.screenshots[0]
    # What was read when the processing began shows what it was.
    late = videos.update(
        interview.id,
        name="Interview",
        priority=-1,
        quality_set_id=8,
        clip_start_seconds=0,
        clip_duration_seconds=1,
        source_bitrate_limit=True,
        origin_url="https://files.example/other.mp4",
        origin_http_headers="Authorization: Bearer other",
        auto_transcribe_audio_language="auto",
        auto_translate_subtitles_language="default",
    )
    assert late.priority == 10 and late.quality_set_id == 7 and late.duration == 3_000 and late.origin_url == ORIGIN
    refused(422, lambda: videos.update(interview.id, name=""))
    refused(422, lambda: videos.update(interview.id, name="Interview", projection="round"))


def uploads(api: Any) -> None:
    videos = api.streaming.videos
    (waiting,) = videos.list(search="Lesson 4").items
    upload = videos.get_parameters_for_direct_upload(waiting.id)
    assert upload.token and upload.servers[0]["hostname"] and upload.video["id"] == waiting.id
    started = videos.update(waiting.id, name="Lesson 4", origin_url=ORIGIN, priority=5, clip_start_seconds=10)
    assert started.priority == 5
    video = ended(api, waiting.id)
    assert video.status == "ready" and video.duration == video.origin_video_duration - 10_000


def subtitles(api: Any) -> None:
    videos = api.streaming.videos
    (lesson,) = videos.list(search="Lesson 1").items
    texts = videos.subtitles
    made = texts.create(lesson.id, body={"name": "Français", "language": "fre", "vtt": WEBVTT})
    assert texts.get(made.id, video_id=lesson.id).to_dict() == made.to_dict()
    changed = texts.update(made.id, video_id=lesson.id, name="French", language="eng", vtt=SRT)
    assert (changed.name, changed.language, changed.vtt) == ("French", "eng", SRT)
    assert texts.update(made.id, video_id=lesson.id, name="F").vtt == SRT
    refused(422, lambda: texts.create(lesson.id, body={"language": "fre", "vtt": "Hello"}))
    refused(422, lambda: texts.create(lesson.id, body={"language": "fr", "vtt": WEBVTT}))
    refused(404, lambda: texts.create(0, body={"language": "fre", "vtt": WEBVTT}))
    texts.delete(made.id, video_id=lesson.id)
    refused(404, lambda: texts.get(made.id, video_id=lesson.id))
    assert len(texts.list(lesson.id)) == 2


def deletions(api: Any) -> None:
    videos = api.streaming.videos
    for video in videos.list().items:
        videos.delete(video.id)
        refused(404, lambda: videos.get(video.id))
        refused(404, lambda: videos.subtitles.list(video.id))
    assert videos.list().items == []


STEPS = [one_video, many_videos, lists, changes, uploads, subtitles, deletions]
