"""Lines end at the newline byte and nowhere else, whatever the chunks are."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hive_gate.wire.framing import LineSplitter

# Bytes that matter to line readers of other kinds, so that they come often.
LINE_BYTES = st.sampled_from(
    [b"\r", b"\x00", b"\x0b", b"\x0c", b"\x1c", b"\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"a"]
)
LINES = st.lists(
    st.lists(LINE_BYTES, max_size=5).map(b"".join) | st.binary(max_size=8).map(lambda b: b.replace(b"\n", b""))
)


def split(chunks: list[bytes]) -> tuple[list[bytes], bytes]:
    """Return the lines and the rest of a stream that comes in `chunks`."""
    splitter = LineSplitter()
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return lines, splitter.rest()


@given(LINES, st.binary(max_size=8).map(lambda b: b.replace(b"\n", b"")), st.data())
def test_any_chunking_gives_the_same_lines(lines: list[bytes], rest: bytes, data: st.DataObject) -> None:
    stream = b"".join(line + b"\n" for line in lines) + rest
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)))))
    edges = [0, *cuts, len(stream)]
    chunks = [stream[start:end] for start, end in pairwise(edges)]

    assert split(chunks) == (lines, rest)


def test_a_line_separator_inside_a_message_does_not_end_it() -> None:
    line = '{"text":"one\u2028two\u2029three\u0085four"}'.encode()

    assert split([line + b"\n"]) == ([line], b"")


def test_a_newline_at_the_start_of_a_chunk_ends_the_line_before_it() -> None:
    assert split([b"one", b"\ntwo", b"\n"]) == ([b"one", b"two"], b"")


def test_empty_lines_are_lines() -> None:
    assert split([b"\n\none\n\n"]) == ([b"", b"", b"one", b""], b"")


def test_a_character_cut_in_two_by_chunks_is_whole_again() -> None:
    line = "\N{ROCKET}한".encode()

    assert split([line[:2], line[2:5], line[5:] + b"\n"]) == ([line], b"")


def test_what_follows_the_last_newline_is_the_rest_and_no_line() -> None:
    assert split([b'{"id":1}\n{"id"', b":2"]) == ([b'{"id":1}'], b'{"id":2')


def test_a_stream_without_a_newline_is_all_rest() -> None:
    assert split([b"a", b"", b"b"]) == ([], b"ab")


def test_a_line_of_many_megabytes_comes_whole_and_the_next_one_after_it() -> None:
    line = b"x" * 10 * 1024 * 1024
    stream = line + b"\nnext\n"
    chunks = [stream[start : start + 65_536] for start in range(0, len(stream), 65_536)]

    lines, rest = split(chunks)

    assert [len(found) for found in lines] == [len(line), 4]
    assert lines[1] == b"next"
    assert rest == b""
