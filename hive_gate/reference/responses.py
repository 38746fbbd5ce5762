"""A model that speaks the Responses API over HTTP, such as a stand-in on loopback."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from hive_gate.reference.model import Began, Call, Delta, Event, ModelFailed, Said, Used

_TIMEOUT = 300
"""Seconds without a byte from the model before a turn fails."""


@dataclass(frozen=True, slots=True)
class Responses:
    """A model behind `POST {base_url}/responses`, answering with server-sent events."""

    base_url: str
    name: str

    def stream(self, conversation: Sequence[dict[str, Any]], call: Call) -> Iterator[Event]:
        """Yield the events of one answer."""
        url = f"{self.base_url.rstrip('/')}/responses"
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        body = {
            "model": self.name,
            "instructions": "You are the model of a reference server.",
            "input": list(conversation),
            "tools": [],
            "store": False,
            "stream": True,
        }
        try:
            connection = kind(parts.hostname or "", parts.port, timeout=_TIMEOUT)
            call.uses(connection)
            headers = {"content-type": "application/json", "accept": "text/event-stream", "connection": "close"}
            connection.request("POST", parts.path, json.dumps(body), headers)
            reply = connection.getresponse()
            if reply.status != 200:
                raise _refused(reply.status, reply.reason, reply.read(), url)
            yield from _events(reply)
        except (OSError, http.client.HTTPException) as error:
            raise ModelFailed(
                f"stream disconnected before completion: error sending request for url ({url})"
            ) from error


def _refused(status: int, reason: str, body: bytes, url: str) -> ModelFailed:
    if status == 400:
        return ModelFailed(body.decode(errors="replace"))
    if status == 429:
        code = {"responseTooManyFailedAttempts": {"httpStatusCode": status}}
        return ModelFailed(f"exceeded retry limit, last status: {status} {reason}", code)
    if status == 500:
        message = "We're currently experiencing high demand, which may cause temporary errors."
        return ModelFailed(message, "internalServerError")
    try:
        told = json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        told = body.decode(errors="replace")
    return ModelFailed(f"unexpected status {status} {reason}: {told}, url: {url}")


def _events(stream: http.client.HTTPResponse) -> Iterator[Event]:
    item = ""
    for event in _messages(stream):
        content = event.get("item") or {}
        match event.get("type"):
            case "response.output_item.added" if content.get("type") == "message":
                item = content.get("id") or ""
                yield Began(item)
            case "response.output_text.delta":
                yield Delta(item, event.get("delta", ""))
            case "response.output_item.done" if content.get("type") == "message":
                yield Said(content.get("id"), "".join(part.get("text", "") for part in content.get("content", [])))
            case "response.failed":
                told = ((event.get("response") or {}).get("error") or {}).get("message", "")
                raise ModelFailed(f"stream disconnected before completion: {told}", cut=True)
            case "response.completed":
                usage = (event.get("response") or {}).get("usage")
                if usage:
                    yield _used(usage)
                return
    raise ModelFailed("stream disconnected before completion: stream closed before response.completed", cut=True)


def _messages(stream: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    for line in stream:
        name, _, value = line.decode(errors="replace").rstrip("\r\n").partition(":")
        if name == "data":
            try:
                message = json.loads(value)
            except ValueError:
                continue
            if isinstance(message, dict):
                yield message


def _used(usage: dict[str, Any]) -> Used:
    given = usage.get("input_tokens_details") or {}
    made = usage.get("output_tokens_details") or {}
    return Used(
        usage.get("input_tokens", 0),
        given.get("cached_tokens", 0),
        usage.get("output_tokens", 0),
        made.get("reasoning_tokens", 0),
        usage.get("total_tokens", 0),
    )
