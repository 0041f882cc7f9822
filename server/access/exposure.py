"""When a server can be reached by others, and what it needs then."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:  # a name may stand for any address
        return False


def why_exposed(host: str, *, encrypted: bool, authenticated: bool) -> str:
    """What is missing for a server that others can reach, and how to waive it; empty if nothing."""
    if is_loopback(host) or (encrypted and authenticated):
        return ""
    lines = [f"{host} can be reached from other machines, and the server would listen there"]
    if not encrypted:
        lines.append(
            "- without TLS: set tls_cert and tls_key (--tls-cert, --tls-key), or say "
            "--insecure-no-tls where something else encrypts, or nobody can listen in"
        )
    if not authenticated:
        lines.append(
            "- without asking who calls: set tokens_file (--tokens-file) or tls_client_ca "
            "(--tls-client-ca), or say --insecure-no-auth where everybody may call"
        )
    return "\n".join(lines)
