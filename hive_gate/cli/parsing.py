"""How commands read their words: help without Python's types, and slips told like every other error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from hive_gate.errors import UsageError

# typer keeps a copy of click's errors, and exports of them only this one, whose base is that of all.
_Slip: Any = typer.BadParameter.__mro__[1]


class Interrupted(BaseException):
    """Ctrl-C or SIGTERM outside of a run, which handles both itself."""


class Command(TyperCommand):
    """A command; its help names arguments as they are called, where typer adds Python's types and braces."""

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **more: Any) -> Any:
        """Read the words behind the command."""
        with _in_our_words(f"{parent.command_path} {info_name}" if parent else str(info_name)):
            return super().make_context(info_name, args, parent, **more)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line behind the command's name."""
        arguments = [param for param in self.get_params(ctx) if param.param_type_name == "argument"]
        return ["[OPTIONS]", *(_in_usage(argument) for argument in arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options."""
        sections: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                name = _called(param) if param.param_type_name == "argument" else record[0]
                sections[param.param_type_name].append((name, record[1]))
        for title, rows in zip(("Arguments", "Options"), sections.values(), strict=True):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Commands(TyperGroup):
    """The commands; what typer would tell in its own way, or end without a word, leaves it as an error of ours."""

    def make_context(self, *args: Any, **more: Any) -> Any:
        """Read the words before the command."""
        with _in_our_words():
            return super().make_context(*args, **more)

    def invoke(self, ctx: Any) -> Any:
        """Read the words of the command and run it."""
        try:
            with _in_our_words():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Interrupted from error


@contextmanager
def _in_our_words(command: str = "hive-gate") -> Iterator[None]:
    """Turn a slip on the command line into a usage error.

    Args:
        command: whose help tells more, where the slip does not know it.

    Raises:
        UsageError: instead of typer's.
    """
    try:
        yield
    except _Slip as slip:
        if type(slip).__name__ == "NoArgsIsHelpError":  # no slip: it is the help
            raise
        see = f"{slip.ctx.command_path if slip.ctx else command} --help"
        meant = " or ".join(sorted(getattr(slip, "possibilities", None) or ()))
        hint = f"did you mean {meant}? See: {see}" if meant else f"see: {see}"
        said = slip.message if meant else slip.format_message()
        raise UsageError(said.replace(": Value error, ", ": "), hint=hint) from slip


def _called(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _in_usage(argument: Any) -> str:
    name = _called(argument) + ("" if argument.nargs == 1 else "...")
    return name if argument.required else f"[{name}]"
