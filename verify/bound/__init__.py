"""Certificates of upper bounds: prices of tiles from which anyone can recompute that no game scores more."""

_BLANK = b"\xef\xbb\xbf \t\r\n"


def is_certificate(content: bytes) -> bool:
    """Return whether `content` looks like a certificate, complete or truncated."""
    head = content[:200].lstrip(_BLANK)
    return head[:1] == b"{" and b'"certificate"' in head


def is_list_of_certificates(content: bytes) -> bool:
    """Return whether `content` looks like a list of certificates."""
    head = content[:200].lstrip(_BLANK)
    return head[:1] == b"[" and is_certificate(head[1:])
