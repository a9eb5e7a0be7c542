"""Builds the documentation's site.

    build.py --program PROGRAM --docc FOLDER --output FOLDER
    build.py --check

FOLDER of --docc is what docc has made for the libraries; it becomes the folder api of the site. With --check, only checks the Markdown
pages as the code host shows them: their markup and every link between them. Asks nothing of the network.
"""

import argparse
import html
import json
import os
import shutil
import sys

import commands
import contents
import guides
import libraries
import links
from page import HERE, Page, code_block, document

ROOT = os.path.dirname(os.path.dirname(HERE))
#: The files that every page loads.
ASSETS = ["Tools/site/site.css", "Tools/site/site.js", "Sources/HomePage/Files/icon.svg"]


def site_path(source):
    """The file in the site for a file of the repository."""
    if source == "README.md":
        return "index.html"
    if os.path.isdir(os.path.join(ROOT, source)):
        source = os.path.join(source, "README.md")
    if source.endswith("/README.md"):
        return source.removesuffix("README.md") + "index.html"
    return source.removesuffix(".md") + ".html"


def read_guides():
    """The guides in the menu's order, and what is wrong with the menu."""
    listed = [source for _, items in contents.SECTIONS for source, _ in items if source.endswith(".md")]
    present = [f"Documentation/{name}" for name in sorted(os.listdir(os.path.join(ROOT, "Documentation"))) if name.endswith(".md")]
    problems = [f"{each}: not in Tools/site/contents.py" for each in present if each not in listed]
    return [guides.Guide(ROOT, each) for each in listed], problems


def file_pages(read):
    """A page for each file of the repository that a guide links to: its text."""
    sources = {each.source for each in read}
    found = {}
    for guide in read:
        for _, address in guide.links:
            target = guide.target(address)
            if target and target[0] not in sources and os.path.isfile(os.path.join(ROOT, target[0])):
                found[target[0]] = None
    result = []
    for source in found:
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            body = f"<h1><code>{html.escape(source)}</code></h1>\n{code_block(file.read())}"
        result.append(Page(site_path(source), os.path.basename(source), body))
    return result


def write(folder, path, text):
    file = os.path.join(folder, path)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)


def search_index(pages):
    """The search's entries: address, title, the section's title if it is one, and the words of the text."""
    entries = []
    for page in pages:
        words = " ".join(sorted(set(page.text.lower().split())))[:6000] if not page.path.startswith("libraries/") else page.text
        entries.append([page.path, page.title, "", words])
        entries += [[f"{page.path}#{anchor}", page.title, text, ""] for _, anchor, text in page.headings if not anchor.startswith("topic-")]
    return "window.searchIndex = " + json.dumps(entries, ensure_ascii=False, separators=(",", ":")) + ";\n"


def build(program, docc, output):
    read, problems = read_guides()
    problems += guides.check(ROOT, read)
    if problems:
        return problems, 0
    by_source = {each.source: each.page(site_path) for each in read}
    pages = list(by_source.values()) + commands.pages(program)
    pages += libraries.pages(os.path.join(docc, "data"), contents.MODULES) + file_pages(read)
    special = {"commands": "commands/index.html", "libraries": "libraries/index.html"}
    sections = [
        (title, [(special.get(source) or site_path(source), name or by_source[source].title) for source, name in items])
        for title, items in contents.SECTIONS
    ]
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    os.rename(docc, os.path.join(output, "api"))
    for page in pages:
        write(output, page.path, document(page, sections))
    for name in ASSETS:
        shutil.copy(os.path.join(ROOT, name), output)
    write(output, "search-index.js", search_index(pages))
    return links.check(output, [each.path for each in pages]), len(pages)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--docc")
    parser.add_argument("--output")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        read, problems = read_guides()
        problems += guides.check(ROOT, read)
        count = len(read)
    else:
        problems, count = build(options.program, options.docc, options.output)
    for each in problems:
        print(f"error: {each}", file=sys.stderr)
    if problems:
        sys.exit(1)
    print(f"{count} pages, every link leads somewhere.")


if __name__ == "__main__":
    main()
