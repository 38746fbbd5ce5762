"""A small program that stands for a server with a stored history: it answers as codex does, from the files alone."""

from __future__ import annotations

HISTORY = """
import glob

def stored(thread):
    found = glob.glob(os.environ["CODEX_HOME"] + "/sessions/**/*" + str(thread) + "*.jsonl", recursive=True)
    return None if not found else [json.loads(line) for line in open(found[0], encoding="utf-8")]

def turns_of(thread):
    turns = []
    for line in stored(thread) or ():
        payload = line["payload"]
        if payload.get("type") == "task_started":
            turns.append({"id": payload["turn_id"], "items": []})
        elif payload.get("type") in ("user_message", "agent_message"):
            turns[-1]["items"].append({"type": payload["type"], "text": payload["message"]})
    return turns

def page_of(turns, params):
    order = turns if params.get("sortDirection") == "asc" else turns[::-1]
    if params.get("cursor"):
        places = [turn["id"] for turn in order]
        order = order[places.index(params["cursor"]) + 1:]
    taken = order[: params.get("limit", 25)]
    view = params.get("itemsView", "summary")
    data = [
        {"id": t["id"], "items": {"notLoaded": [], "summary": [t["items"][0], t["items"][-1]]}.get(view, t["items"])}
        for t in taken
    ]
    return {"data": data, "nextCursor": taken[-1]["id"] if len(order) > len(taken) else None}

def respond(message):
    method, params = message["method"], message.get("params", {})
    thread = params.get("threadId")
    if method == "initialize":
        answer(message, {"userAgent": "stub/1.2.3 (test)", "codexHome": os.environ["CODEX_HOME"]})
    elif method == "thread/start":
        answer(message, {"thread": {"id": "t", "historyMode": None}})
    elif method == "thread/list":
        answer(message, {"data": []})
    elif method not in ("thread/turns/list", "thread/read", "thread/resume"):
        refuse(message, -32600, "unknown variant")
    elif stored(thread) is None:
        refuse(message, -32600, "thread not loaded: " + str(thread))
    elif method == "thread/turns/list":
        answer(message, page_of(turns_of(thread), params))
    else:
        whole = params.get("includeTurns") or (method == "thread/resume" and not params.get("excludeTurns"))
        result = {"thread": {"id": thread, "turns": turns_of(thread) if whole else []}}
        if "initialTurnsPage" in params:
            result["initialTurnsPage"] = page_of(turns_of(thread), params["initialTurnsPage"])
        answer(message, result)
"""
"""Defines `respond(message)`; see `tests.support.stubs.SERVE`."""
