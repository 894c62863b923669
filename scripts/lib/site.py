"""Hook of mkdocs: adapts the pages of docs/, which are written for GitHub and for reading as text, to the site."""

import os
import re

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
CODE_IN_CELL = re.compile(r"`[^`\n]*\\\|[^`\n]*`")


def on_page_markdown(markdown, page, config, files):
    """Links to files outside docs/ become links to the repository, or plain text if mkdocs.yml has no repo_url."""
    folder = os.path.dirname(page.file.src_uri)

    def link(match):
        text, target = match.groups()
        path = os.path.normpath(os.path.join("docs", folder, target.partition("#")[0]))
        if re.match(r"[a-z]+:|#", target) or path.startswith("docs/"):
            return match.group(0)
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path})" if config.repo_url else text

    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [CODE_IN_CELL.sub(lambda code: code.group(0).replace("\\|", "|"), LINK.sub(link, part)) for part in parts[::2]]
    return "".join(parts)
