"""A page of the site, and what all pages have in common."""

import dataclasses
import html
import os
import posixpath
import re
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass
class Page:
    #: The file in the site, with / between folders.
    path: str
    title: str
    #: The content of the main landmark, whose links are relative to the page.
    body: str
    #: Level, anchor and text of each heading below the title.
    headings: list = dataclasses.field(default_factory=list)
    #: What the search finds besides title and headings.
    text: str = ""
    #: The file in the site of the menu's item that is current on this page, if it isn't the page itself.
    parent: str = ""


def relative(target, source):
    """The link to a file of the site, from the page at `source`."""
    return posixpath.relpath(target, posixpath.dirname(source) or ".")


def slug(text, seen):
    """The anchor of a heading, as the code hosts make it."""
    kept = "".join(each for each in text.strip().lower() if each in "-_ " or unicodedata.category(each)[0] in "LNM")
    base = kept.replace(" ", "-")
    count = seen.get(base, 0)
    seen[base] = count + 1
    return f"{base}-{count}" if count else base


def heading(level, anchor, inner):
    return f'<h{level} id="{anchor}">{inner} <a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a></h{level}>\n'


def code_block(code, language=""):
    """A block of code that scrolls in itself. The prompts of a console stand out from what the programs print."""
    inner = html.escape(code.rstrip("\n"), quote=False)
    if language == "console":
        inner = re.sub(r"^\$ (.*(?:\\\n.*)*)$", r'<span class="prompt">$</span> <b>\1</b>', inner, flags=re.MULTILINE)
    return f'<pre tabindex="0"><code>{inner}</code></pre>\n'


def inline_code(code):
    """Code in a line. A short word isn't broken, because a browser would break an option between its hyphens."""
    word = ' class="word"' if " " not in code and len(code) <= 26 else ""
    return f"<code{word}>{html.escape(code, quote=False)}</code>"


def scrolling_table(inner):
    return f'<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>{inner}</table></div>\n'


def toc(page):
    """The list of a page's sections, if there are several."""
    entries = [each for each in page.headings if each[0] == 2]
    if len(entries) < 3:
        return ""
    items = "".join(f'<li><a href="#{anchor}">{html.escape(text)}</a></li>' for _, anchor, text in entries)
    return f'<nav class="toc" aria-label="On this page"><details><summary>On this page</summary><ul>{items}</ul></details></nav>'


def menu(page, sections):
    """The menu of the site as seen from a page; each section is a title with its paths and names."""
    parts = []
    for title, items in sections:
        links = "".join(
            f'<li><a href="{relative(path, page.path)}"{current(page, path)}>{html.escape(name)}</a></li>' for path, name in items
        )
        name = slug(f"menu {title}", {})
        parts.append(f'<p id="{name}">{html.escape(title)}</p><ul aria-labelledby="{name}">{links}</ul>')
    return "".join(parts)


def current(page, path):
    if path == page.path:
        return ' aria-current="page"'
    return ' aria-current="true"' if path == page.parent else ""


def document(page, sections):
    """The whole HTML of a page."""
    with open(os.path.join(HERE, "template.html"), encoding="utf-8") as file:
        template = file.read()
    title = "Hearth" if page.path == "index.html" else f"{page.title} – Hearth"
    values = {
        "title": html.escape(title),
        "root": relative("index.html", page.path).removesuffix("index.html"),
        "menu": menu(page, sections),
        # Below the title, which is the first heading.
        "body": page.body.replace("</h1>\n", "</h1>\n" + toc(page), 1),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)
