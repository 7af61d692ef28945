"""Certificates of upper bounds: prices of tiles from which anyone can recompute that no game scores more."""


def is_certificate(content: bytes) -> bool:
    """Return whether `content` looks like a certificate, complete or truncated."""
    return content[:1] == b"{" and b'"certificate"' in content[:200]
