"""`hive-gate codex`: the codex programs that hive-gate has installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from hive_gate.target.cache import Cache, Installed

codex_app = typer.Typer(no_args_is_help=True, help="Install, list and remove the codex programs that are probed.")

_VERSIONS = "Such as 0.142.5 or 0.143.0-alpha.12."


@codex_app.command()
def install(versions: Annotated[list[str], typer.Argument(metavar="VERSION", help=_VERSIONS)]) -> None:
    """Fetch versions through npm, verify them and keep them."""
    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.target.cache import Cache
    from hive_gate.target.install import install as fetch
    from hive_gate.target.spec import parse_version

    wanted = [parse_version(text) for text in versions]
    console = _stderr()
    for spec in wanted:
        with fetch_progress(console) as on_progress:
            found = fetch(spec, Cache.default(), on_progress)
        _say(console, f"codex {found.version} ({found.platform}) is installed, sha256 {found.sha256[:12]}")


@codex_app.command("list")
def list_(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List what is installed."""
    from hive_gate.target.cache import Cache

    cache = Cache.default()
    installed = cache.installed()
    if as_json:
        _print_json(installed)
    elif installed:
        _print_table(installed)
    else:
        _say(_stderr(), f"No codex is installed in {cache.root}. To install one: hive-gate codex install VERSION")


@codex_app.command()
def path(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A version, `path`, or a path to a program.")],
) -> None:
    """Print the path of the native program that SPEC means. A version that is missing is fetched."""
    from hive_gate.cli.fetching import fetch_progress
    from hive_gate.target.identify import resolve

    console = _stderr()
    with fetch_progress(console) as on_progress:
        program = resolve(spec, on_progress=on_progress)
    for warning in program.warnings:
        _say(console, f"warning: {warning}")
    typer.echo(program.path)


@codex_app.command()
def remove(
    versions: Annotated[list[str] | None, typer.Argument(metavar="VERSION", help=_VERSIONS)] = None,
    everything: Annotated[bool, typer.Option("--all", help="Remove every version.")] = False,
) -> None:
    """Remove versions from the cache folder, damaged ones as well."""
    from hive_gate.errors import UsageError
    from hive_gate.target.cache import Cache

    if bool(versions) == everything:
        raise UsageError("It is not clear what to remove.", hint="name versions, or give --all and no version")
    cache, console = Cache.default(), _stderr()
    for found in cache.installed() if everything else _named(versions or (), cache):
        cache.remove(found)
        _say(console, f"codex {found.key} is removed")


def _named(versions: Sequence[str], cache: Cache) -> list[Installed]:
    """Return what the words mean, all of it or nothing: a slip in the third version must not cost the first two."""
    from hive_gate.errors import UsageError
    from hive_gate.target.platforms import this_platform
    from hive_gate.target.spec import parse_version

    by_key = {found.key: found for found in cache.installed()}
    keys = [f"{spec.version}-{spec.platform or this_platform()}" for spec in map(parse_version, versions)]
    missing = [key for key in keys if key not in by_key]
    if missing:
        raise UsageError(f"Not installed: {', '.join(missing)}.", hint="see what is: hive-gate codex list")
    return [by_key[key] for key in dict.fromkeys(keys)]


def _print_json(installed: Sequence[Installed]) -> None:
    import json
    from dataclasses import asdict

    rows = [{**asdict(found), "program": str(found.program)} for found in installed]
    typer.echo(json.dumps(rows, indent=2))


def _print_table(installed: Sequence[Installed]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.filesize import decimal
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("version", "platform"):
        table.add_column(name, no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("sha256", no_wrap=True)
    table.add_column("path", overflow="fold")
    for found in installed:
        where = f"{found.program}\ndamaged: {found.problem}" if found.problem else str(found.program)
        table.add_row(found.version, found.platform, decimal(found.size), found.sha256[:12], where)
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        # Rich then assumes 80 columns, and would fold the paths that somebody wants to take from a log.
        console.width = 400
    console.print(table)


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _stderr() -> Console:
    from rich.console import Console

    return Console(stderr=True)
