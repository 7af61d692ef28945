"""Certificates of upper bounds: a price for every tile, from which anyone can work out that no game scores more."""


def is_certificate(content: bytes) -> bool:
    """Whether `content` looks like a certificate, whole or not."""
    return content[:1] == b"{" and b'"certificate"' in content[:200]
