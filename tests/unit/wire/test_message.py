"""One line as a message: what kind it is, and everything that is odd about it; nothing in a line raises."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.wire.message import PREVIEW, Anomaly, kind_of, parse, preview


def odd(line: bytes) -> list[str]:
    """Return the kinds of a line's anomalies."""
    return [anomaly.kind for anomaly in parse(line).anomalies]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"id": 1, "result": {}}, "reply"),
        ({"id": 1, "result": None}, "reply"),
        ({"id": 1, "error": {"code": 1, "message": "x"}}, "reply"),
        ({"id": 1, "method": "ask"}, "request"),
        ({"id": 0, "method": "ask"}, "request"),
        ({"id": None, "method": "ask"}, "request"),
        ({"id": 1, "method": "ask", "result": {}}, "request"),
        ({"id": 1, "method": None, "result": {}}, "request"),
        ({"method": "tell"}, "notification"),
        ({"method": "tell", "result": {}}, "notification"),
        ({"id": 1}, "unknown"),
        ({"result": {}}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_only_a_message_without_a_method_is_a_reply(body: dict[str, Any], kind: str) -> None:
    assert kind_of(body) == kind


def test_a_good_line_has_its_body_and_nothing_odd() -> None:
    parsed = parse('{"id":0,"result":{"한":[1,2.5,true,null,"\N{ROCKET}"]}}'.encode())

    assert parsed.body == {"id": 0, "result": {"한": [1, 2.5, True, None, "\N{ROCKET}"]}}
    assert parsed.text is None
    assert parsed.anomalies == ()


def test_a_carriage_return_before_the_newline_is_tolerated() -> None:
    parsed = parse(b'{"id":1,"result":{}}\r')

    assert parsed.body == {"id": 1, "result": {}}
    assert parsed.anomalies == ()


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":1,"id":2}',
        b'{"result":{"a":{"id":1,"id":1}}}',
        b'{"result":[[{"id":1,"b":2,"id":3}]]}',
        b'{"result":{"\\u0069d":1,"id":2}}',
    ],
)
def test_equal_keys_are_noticed_at_any_depth_and_by_name(line: bytes) -> None:
    (anomaly,) = parse(line).anomalies

    assert anomaly == Anomaly("duplicate-key", "the key 'id' stands twice in one object")


def test_the_same_key_in_different_objects_is_nothing_odd() -> None:
    assert odd(b'{"id":1,"result":{"id":1,"turns":[{"id":1},{"id":1}]}}') == []


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_that_are_no_json_numbers_are_noticed_and_do_not_reach_the_body(word: str) -> None:
    parsed = parse(b'{"result":[%s]}' % word.encode())

    assert parsed.body == {"result": [None]}
    assert parsed.anomalies == (Anomaly("not-a-number", f"{word} is not JSON"),)


def test_a_line_that_is_not_utf_8_is_told_with_the_place() -> None:
    parsed = parse(b'{"id":1,"result":"\xff"}')

    assert parsed.body is None
    assert parsed.text == '{"id":1,"result":"\\xff"}'
    assert parsed.anomalies == (Anomaly("not-utf-8", "byte 18 of the line is not UTF-8"),)


@pytest.mark.parametrize("line", [b"[]", b"1", b"null", b'"text"', b"true", b'[{"id":1,"result":{}}]'])
def test_json_that_is_no_object_is_no_message(line: bytes) -> None:
    parsed = parse(line)

    assert parsed.body is None
    assert parsed.text == line.decode()
    assert [anomaly.kind for anomaly in parsed.anomalies] == ["not-object"]


@pytest.mark.parametrize("line", [b"", b"   ", b"\r", b"\t"])
def test_a_blank_line_is_told_as_such(line: bytes) -> None:
    parsed = parse(line)

    assert parsed.body is None
    assert [anomaly.kind for anomaly in parsed.anomalies] == ["blank-line"]


@pytest.mark.parametrize(
    "line", [b"hello", b'{"id":1', b'{"id":1}}', b"{'id':1}", b'{"id":01}', b'\xef\xbb\xbf{"id":1}']
)
def test_a_line_that_is_not_json_is_kept_as_text(line: bytes) -> None:
    parsed = parse(line)

    assert parsed.body is None
    assert parsed.text == preview(line)
    assert [anomaly.kind for anomaly in parsed.anomalies] == ["not-json"]


def test_a_lone_surrogate_is_kept_as_it_came() -> None:
    parsed = parse(b'{"result":"\\ud83d"}')

    assert parsed.body == {"result": "\ud83d"}
    assert parsed.anomalies == ()


def test_unescaped_line_separators_are_pointed_out_and_escaped_ones_are_not() -> None:
    assert odd('{"result":"a\u2028b"}'.encode()) == ["line-separator"]
    assert odd('{"result":"a\u2029b"}'.encode()) == ["line-separator"]
    assert odd(b'{"result":"a\\u2028b"}') == []


@pytest.mark.parametrize("depth", [300, 900, 5_000, 200_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_a_line_that_is_nested_too_deeply_is_refused_with_a_reason(depth: int, opening: bytes, closing: bytes) -> None:
    parsed = parse(b'{"result":' + opening * depth + b"1" + closing * depth + b"}")

    assert parsed.body is None
    assert parsed.anomalies == (Anomaly("not-json", "nested too deeply"),)


def test_a_message_may_be_nested_as_deeply_as_servers_and_validators_read() -> None:
    # serde_json stops at 128 levels: no real server can send more.
    value: Any = 1
    for _ in range(126):
        value = [value]

    assert parse(json.dumps({"result": value}).encode()).body == {"result": value}


def test_an_integer_beyond_64_bits_keeps_its_value() -> None:
    assert parse(b'{"result":123456789012345678901234567890}').body == {"result": 123456789012345678901234567890}


def test_an_integer_of_absurd_length_is_refused_with_a_reason_for_people() -> None:
    parsed = parse(b'{"result":%s}' % (b"9" * 10_000))

    assert parsed.body is None
    assert parsed.anomalies == (Anomaly("not-json", "a number with more digits than any reader takes"),)


def test_a_preview_is_bounded_and_printable() -> None:
    shown = preview(b"\x1b[31mred\x07" + b"x" * 10_000)

    assert shown.startswith("\\x1b[31mred\\x07xxx")
    assert shown.endswith("…")
    assert shown.isprintable()
    assert len(shown) < PREVIEW * 2


def test_a_preview_of_a_short_line_is_the_line() -> None:
    assert preview("Listening on 한국".encode()) == "Listening on 한국"


@given(st.binary(max_size=40) | st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_line_raises(line: bytes) -> None:
    parsed = parse(line)

    assert (parsed.body is None) == (parsed.text is not None)
    assert parsed.body is not None or parsed.anomalies


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_what_json_writes_is_read_back(body: dict[str, Any]) -> None:
    assert parse(json.dumps(body).encode()).body == body
