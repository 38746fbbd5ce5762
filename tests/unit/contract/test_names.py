from __future__ import annotations

from typing import Any

import pytest

from hive_gate.contract.names import UnknownName, escape, fill, look_up, names_in, resolve

NAMES = {"main": "0197", "size": 7, "none": None, "page": {"next": {"cursor": "c"}}, "a.b": "whole"}


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("${main}", "0197"),
        ("${size}", 7),
        ("${none}", None),
        ("${page}", {"next": {"cursor": "c"}}),
        ("${page.next.cursor}", "c"),
        ("${a.b}", "whole"),
        ("thread ${main} at ${size}", "thread 0197 at 7"),
        ({"a": ["${size}", {"b": "${main}"}], "${main}": 1}, {"a": [7, {"b": "0197"}], "${main}": 1}),
        ("$main {main} ${}", "$main {main} ${}"),
        (1.5, 1.5),
        (True, True),
    ],
)
def test_names_are_filled_in(value: Any, filled: Any) -> None:
    assert fill(value, NAMES) == filled
    assert type(fill(value, NAMES)) is type(filled)


@pytest.mark.parametrize("value", ["${x}", "at ${x}", ["${x}"], "${page.last}", "${size.x}"])
def test_an_unknown_name_is_an_error_unless_filled_partly(value: Any) -> None:
    with pytest.raises(UnknownName):
        fill(value, NAMES)
    assert fill(value, NAMES, partly=True) == value


def test_the_unknown_name_is_told_as_it_is_written() -> None:
    with pytest.raises(UnknownName) as caught:
        look_up("page.next.x", NAMES)
    assert caught.value.args == ("page.next.x",)


def test_every_name_is_found_with_its_pointer() -> None:
    value = {"a/b": ["x", "${one} and ${two.three}"], "c~d": {"${no-key}": "${four}"}}
    assert list(names_in(value, "/params")) == [
        ("one", "/params/a~1b/1"),
        ("two.three", "/params/a~1b/1"),
        ("four", "/params/c~0d/${no-key}"),
    ]


# The examples of RFC 6901, section 5.
RFC = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6, " ": 7, "m~n": 8}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3),
        ("/g|h", 4), ("/i\\j", 5), ('/k"l', 6), ("/ ", 7), ("/m~0n", 8),
    ],
)  # fmt: skip
def test_a_pointer_finds_what_rfc_6901_says(pointer: str, value: Any) -> None:
    assert resolve(RFC, pointer) == value


def test_an_escaped_tilde_before_a_one_is_no_slash() -> None:
    assert resolve({"~1": "tilde", "/": "slash"}, "/~01") == "tilde"


@pytest.mark.parametrize("pointer", ["foo", "/bar", "/foo/2", "/foo/-1", "/foo/x", "/foo/0/0", "/foo/²", "/a/b"])
def test_a_pointer_that_leads_nowhere_is_an_error(pointer: str) -> None:
    with pytest.raises(LookupError):
        resolve(RFC, pointer)


@pytest.mark.parametrize("key", ["a/b", "m~n", "~1", "", "/~/"])
def test_an_escaped_key_is_found_again(key: str) -> None:
    assert resolve({key: "found"}, f"/{escape(key)}") == "found"
