"""Run a command in a network namespace whose only way out is a trap, and write down what falls into it.

Started as `unshare --net [--map-root-user] python netns.py TRACE -- COMMAND...`. Loopback works. A TUN device holds the
default route: every IPv4 packet that would leave the machine is read from it and never answered. TRACE is a JSON list
of `protocol address:port`, the attempts of the control connection left out; the control proves that the trap works.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

CONTROL = ("192.0.2.1", 9)  # TEST-NET-1: belongs to nobody

_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_SIOCADDRT, _SIOCSIFFLAGS, _SIOCSIFADDR, _SIOCSIFNETMASK = 0x890B, 0x8914, 0x8916, 0x891C
_IFF_UP_RUNNING = 0x41


class _Route(ctypes.Structure):
    _fields_ = [
        ("pad1", ctypes.c_ulong),
        ("dst", ctypes.c_char * 16),
        ("gateway", ctypes.c_char * 16),
        ("genmask", ctypes.c_char * 16),
        ("flags", ctypes.c_ushort),
        ("pad2", ctypes.c_short),
        ("pad3", ctypes.c_ulong),
        ("pad4", ctypes.c_void_p),
        ("metric", ctypes.c_short),
        ("dev", ctypes.c_char_p),
        ("mtu", ctypes.c_ulong),
        ("window", ctypes.c_ulong),
        ("irtt", ctypes.c_ushort),
    ]


def _address(text: str) -> bytes:
    return struct.pack("<HH4s8x", socket.AF_INET, 0, socket.inet_aton(text))


def _up(name: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sh22x", name, _IFF_UP_RUNNING))


def open_trap() -> int:
    """Bring loopback up, make the TUN device with the default route, and return its file descriptor."""
    _up(b"lo")
    trap = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(trap, _TUNSETIFF, struct.pack("16sH22x", b"trap", _IFF_TUN | _IFF_NO_PI))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFADDR, struct.pack("16s16s8x", b"trap", _address("198.51.100.1")))
        fcntl.ioctl(control, _SIOCSIFNETMASK, struct.pack("16s16s8x", b"trap", _address("255.255.255.0")))
        _up(b"trap")
        route = _Route(dst=b"", gateway=b"", genmask=b"", flags=1, dev=b"trap")
        ctypes.memmove(ctypes.addressof(route) + _Route.dst.offset, _address("0.0.0.0"), 16)
        ctypes.memmove(ctypes.addressof(route) + _Route.genmask.offset, _address("0.0.0.0"), 16)
        fcntl.ioctl(control, _SIOCADDRT, bytes(route))
    return trap


def describe(packet: bytes) -> str | None:
    """Return where an IPv4 packet was going; None for what the kernel sends by itself (IPv6, multicast)."""
    if packet[0] >> 4 != 4:
        return None
    protocol, target = packet[9], socket.inet_ntoa(packet[16:20])
    if target.startswith("224."):
        return None
    header = (packet[0] & 15) * 4
    port = struct.unpack("!H", packet[header + 2 : header + 4])[0] if protocol in (6, 17) else 0
    return f"{ {6: 'tcp', 17: 'udp'}.get(protocol, protocol) } {target}:{port}"


def main() -> int:
    """Run the command and return its exit code; 99 if the trap does not catch the control connection."""
    trace, command = Path(sys.argv[1]), sys.argv[3:]
    trap = open_trap()
    seen: list[str] = []
    caught = threading.Event()
    control = f"tcp {CONTROL[0]}:{CONTROL[1]}"

    def read() -> None:
        while True:
            found = describe(os.read(trap, 65_536))
            if found == control:
                caught.set()
            elif found is not None:
                seen.append(found)

    threading.Thread(target=read, daemon=True).start()
    probe = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    probe.setblocking(False)
    probe.connect_ex(CONTROL)
    if not caught.wait(10):
        return 99
    code = subprocess.run(command, check=False).returncode
    trace.write_text(json.dumps(seen), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
