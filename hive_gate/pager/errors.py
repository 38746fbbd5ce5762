"""Why there is no page, and what the client does then."""

from __future__ import annotations

OVERLOADED = -32001
UNSUPPORTED = -32601


class Refused(Exception):
    """What `call` raises when the server answers with an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code} {message}")
        self.code = code
        self.message = message


class PagingError(Exception):
    """Why there is no page. It stays so until the thread is restored anew, or for good where that cannot help."""


class ThreadMissing(PagingError):
    """The server does not have the thread: take it out of the list, do not show it as empty."""


class Unsupported(PagingError):
    """This server cannot page, or not this thread: go the way that was decided on for such versions."""


class CursorLost(PagingError):
    """The turn that the cursor named is gone, by a rollback for example: restore the thread."""


class Overloaded(PagingError):
    """The server was too busy each time that it was asked. It does not stay so: ask again when the user does."""


class RequestRefused(PagingError):
    """The server refused for another reason."""


class NoAnswer(PagingError):
    """No answer came. The request may still be under way, so that the thread needs another connection."""


class BrokenHistory(PagingError):
    """The server contradicts itself: going on would loop, show turns twice, or leave some out."""


def is_of_the_server(method: str, refusal: Refused) -> bool:
    """Tell whether a refusal is about the method as such: then it is the same for every thread."""
    if refusal.code == UNSUPPORTED:
        return refusal.message.startswith(method)  # else it names what the store of this one thread cannot do
    return "unknown variant" in refusal.message or "requires experimentalApi" in refusal.message


def typed(method: str, refusal: Refused) -> PagingError:
    """Return a refusal as the error that says what to do."""
    text = refusal.message
    if refusal.code == OVERLOADED:
        return Overloaded(text)
    if refusal.code == UNSUPPORTED or is_of_the_server(method, refusal):
        return Unsupported(text)
    if text.startswith(("thread not loaded", "no rollout found")):
        return ThreadMissing(text)
    if text.startswith("invalid cursor"):
        return CursorLost(text)
    return RequestRefused(text)
