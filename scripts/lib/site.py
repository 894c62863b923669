#!/usr/bin/env python3
"""Hooks of mkdocs: adapt the pages of docs/, which are written for GitHub and for reading as text, to the site."""

import os
import pathlib
import re

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
CODE_IN_CELL = re.compile(r"`[^`\n]*\\\|[^`\n]*`")
NESTED_ITEM = re.compile(r"^ {2,3}(?=[-*] )", re.MULTILINE)


def on_config(config):
    """The navigation has the sections and the order of docs/README.md."""
    index = pathlib.Path(config["docs_dir"], "README.md").read_text()
    sections = re.findall(r"^## (\w[\w-]*)[^\n]*\n(.*?)(?=^## |\Z)", index, re.MULTILINE | re.DOTALL)
    pages = {title: re.findall(r"\]\((?!\.\./)([^)#]+\.md)\)", text) for title, text in sections}
    config["nav"] = ["README.md"] + [{title: listed} for title, listed in pages.items() if listed]
    return config


def on_page_markdown(markdown, page, config, files):
    """Links to files outside docs/ become links to the repository, or plain text if mkdocs.yml has no repo_url."""
    folder = os.path.dirname(page.file.src_uri)

    def link(match):
        text, target = match.groups()
        path = os.path.normpath(os.path.join("docs", folder, target.partition("#")[0]))
        if re.match(r"[a-z]+:|#", target) or path.startswith("docs/"):
            return match.group(0)
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path})" if config.repo_url else text

    def adapt(text):
        text = NESTED_ITEM.sub("    ", LINK.sub(link, text))
        return CODE_IN_CELL.sub(lambda code: code.group(0).replace("\\|", "|"), text)

    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [adapt(part) for part in parts[::2]]
    return "".join(parts)
