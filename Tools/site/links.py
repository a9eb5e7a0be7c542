"""Checks that every link and every anchor of the built site leads somewhere, without asking anybody else."""

import html.parser
import os
import posixpath
import re
import urllib.parse


class Reader(html.parser.HTMLParser):
    """Collects what a page links to and what can be linked to."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.links, self.anchors, self.repeated = [], set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.anchors:
                    self.repeated.append(value)
                self.anchors.add(value)
            elif name in ("href", "src"):
                # A page that loads anything from elsewhere would tell others who reads it.
                self.links.append((value, tag != "a"))


def check(folder, paths):
    """What is wrong with the links of the pages at `paths` in the site's folder."""
    readers = {}
    for path in paths:
        readers[path] = Reader()
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            readers[path].feed(file.read())
    problems = []
    for path, reader in readers.items():
        problems += [f"{path}: two elements have the ID {each}" for each in reader.repeated]
        for link, loads in reader.links:
            if re.match(r"(?:[a-z]+:)?//|[a-z]+:", link):
                if loads or not link.startswith("https://"):
                    problems.append(f"{path}: {'loads' if loads else 'links to'} {link}")
                continue
            target, _, anchor = link.partition("#")
            target = urllib.parse.unquote(target)
            full = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            if target.endswith("/") or full == "." or os.path.isdir(os.path.join(folder, full)):
                full = posixpath.normpath(posixpath.join(full, "index.html"))
            if full.startswith("..") or not os.path.isfile(os.path.join(folder, full)):
                problems.append(f"{path}: no such page: {link}")
            elif anchor and full in readers and urllib.parse.unquote(anchor) not in readers[full].anchors:
                problems.append(f"{path}: no such section: {link}")
    return problems
