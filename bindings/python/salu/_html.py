"""HTML for notebooks. All texts from programs and files are escaped here, and only here."""

from __future__ import annotations

from typing import Iterable, Sequence

_STYLE = "border-collapse:collapse;font-family:monospace;font-size:90%"
_CELL = "border:1px solid #8884;padding:1px 6px;text-align:left"


def escape(text: object) -> str:
    import html

    return html.escape(str(text), quote=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> str:
    """Returns a table of texts with `title` above it."""
    parts = [f'<table style="{_STYLE}">']
    if title:
        parts.append(f'<caption style="text-align:left">{escape(title)}</caption>')
    parts.append("<tr>" + "".join(f'<th style="{_CELL}">{escape(head)}</th>' for head in heads) + "</tr>")
    for row in rows:
        parts.append("<tr>" + "".join(f'<td style="{_CELL}">{escape(cell)}</td>' for cell in row) + "</tr>")
    parts.append("</table>")
    return "".join(parts)


def lanes(mask: int, title: str) -> str:
    """Returns 64 lanes as squares, active ones filled; lane 0 is on the left."""
    squares = "".join(
        f'<rect x="{lane * 9}" y="0" width="8" height="8" stroke="#888" '
        f'fill="{"#2a7" if mask >> lane & 1 else "none"}"><title>lane {lane}</title></rect>' for lane in range(64))
    return (f'<div style="font-family:monospace;font-size:90%">{escape(title)} '
            f'<svg width="{64 * 9}" height="9" role="img">{squares}</svg></div>')
