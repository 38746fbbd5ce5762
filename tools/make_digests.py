"""Write the digests of codex versions into `fixtures/digests/`; versions that are not named keep theirs.

Programs that are not in the cache are fetched. Without versions, all known ones are made anew.
"""

from __future__ import annotations

import sys

import semver

from hive_gate.drift.digestfile import FOLDER, known_versions, read_digest, write_digests
from hive_gate.errors import HiveGateError
from hive_gate.matrix.drift_side import program_digest
from hive_gate.target.identify import resolve
from hive_gate.target.spec import parse_version


def main(argv: list[str]) -> int:
    """Write the digests of the versions named; exit code 2 or 3, as hive-gate's, if one cannot be had."""
    try:
        known = known_versions(FOLDER)
        wanted = [parse_version(word).version for word in argv] or list(known)
        # All of them first: a version that cannot be fetched must not cost those that are there.
        made = {version: program_digest(resolve(version)) for version in wanted}
        kept = {version: read_digest(version, FOLDER) for version in known if version not in made}
    except HiveGateError as error:
        print(f"make_digests: {error.diagnostics()}", file=sys.stderr)
        return error.exit_code
    digests = {**made, **kept}
    write_digests([digests[version] for version in sorted(digests, key=semver.Version.parse)], FOLDER)
    print(f"written: {', '.join(wanted)} in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
