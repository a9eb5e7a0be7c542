"""The guides: Markdown pages of the repository, as pages of the site and as seen on the code host."""

import html
import os
import posixpath
import re

import markdown_it

from page import Page, code_block, heading, inline_code, relative, scrolling_table, slug

COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)


def parser():
    return markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table")


def plain(inline):
    """The text of a heading or paragraph, without its markup."""
    return "".join(" " if each.type in ("softbreak", "hardbreak") else each.content for each in inline.children)


class Guide:
    """A Markdown file of the repository."""

    def __init__(self, root, source):
        self.root, self.source = root, source
        with open(os.path.join(root, source), encoding="utf-8") as file:
            self.tokens = parser().parse(file.read())
        #: Level, anchor and text of each heading.
        self.headings = []
        #: The line and the address of each link.
        self.links = []
        #: What is wrong on the page, each with its line.
        self.problems = []
        seen = {}
        for index, token in enumerate(self.tokens):
            line = token.map[0] + 1 if token.map else 0
            if token.type == "heading_open":
                text = plain(self.tokens[index + 1])
                token.meta["anchor"] = slug(text, seen)
                self.headings.append((int(token.tag[1]), token.meta["anchor"], text))
            elif token.type == "inline":
                for child in token.children:
                    if child.type == "link_open":
                        self.links.append((line, child.attrGet("href")))
                    elif child.type == "image":
                        self.links.append((line, child.attrGet("src")))
                    elif child.type == "html_inline" and not COMMENT.fullmatch(child.content):
                        self.problems.append((line, f"HTML in Markdown: {child.content}"))
            elif token.type == "html_block" and not COMMENT.fullmatch(token.content):
                self.problems.append((line, "HTML in Markdown"))
            elif token.type == "code_block":
                self.problems.append((line, "an indented block; use a fenced one with its language"))
            elif token.type == "fence" and not token.info.strip():
                self.problems.append((line, "a block without its language; use text if it is none"))
        if [level for level, _, _ in self.headings[:1]] != [1] or sum(level == 1 for level, _, _ in self.headings) != 1:
            self.problems.append((1, "a page starts with its title, the only heading of level 1"))

    @property
    def title(self):
        return self.headings[0][2]

    def target(self, address):
        """The repository's file and the anchor that a link names; None if it leads elsewhere."""
        if re.match(r"[a-z]+:", address):
            return None
        path, _, anchor = address.partition("#")
        if not path:
            return self.source, anchor
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path)), anchor

    def page(self, site):
        """The page of the site. `site` maps a file of the repository to the path of its page."""
        out = []
        tokens = self.tokens
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "heading_open":
                inner = self.inline(tokens[index + 1], site)
                anchor = token.meta["anchor"]
                level = int(token.tag[1])
                out.append(f'<h1 id="{anchor}">{inner}</h1>\n' if level == 1 else heading(level, anchor, inner))
                index += 3
                continue
            if token.type == "table_open":
                end = next(each for each in range(index, len(tokens)) if tokens[each].type == "table_close")
                out.append(scrolling_table("".join(self.simple(each, site) for each in tokens[index + 1 : end])))
                index = end + 1
                continue
            out.append(self.simple(token, site))
            index += 1
        text = " ".join(plain(each) for each in tokens if each.type == "inline")
        return Page(site(self.source), self.title, "".join(out), self.headings[1:], text)

    def simple(self, token, site):
        if token.type == "inline":
            return self.inline(token, site)
        if token.type == "fence":
            return code_block(token.content, token.info.strip())
        if token.type == "html_block" or token.hidden:
            return ""
        if token.type == "hr":
            return "<hr>\n"
        attributes = "".join(f' {name}="{html.escape(str(value))}"' for name, value in token.attrs.items())
        if token.type == "th_open":
            attributes += ' scope="col"'
        return f"</{token.tag}>\n" if token.nesting == -1 else f"<{token.tag}{attributes}>"

    def inline(self, token, site):
        out = []
        for child in token.children:
            if child.type == "text":
                out.append(html.escape(child.content, quote=False))
            elif child.type == "code_inline":
                out.append(inline_code(child.content))
            elif child.type in ("softbreak", "hardbreak"):
                out.append("\n" if child.type == "softbreak" else "<br>\n")
            elif child.type == "link_open":
                out.append(f'<a href="{html.escape(self.address(child.attrGet("href"), site))}">')
            elif child.type != "html_inline":
                out.append(f"</{child.tag}>" if child.nesting == -1 else f"<{child.tag}>")
        return "".join(out)

    def address(self, address, site):
        target = self.target(address)
        if target is None or address.startswith("#"):
            return address
        path, anchor = target
        return relative(site(path), site(self.source)) + (f"#{anchor}" if anchor else "")


def check(root, guides):
    """What is wrong in the Markdown as the code host shows it: markup, missing files, missing anchors."""
    by_source = {each.source: each for each in guides}
    problems = []
    for guide in guides:
        found = list(guide.problems)
        for line, address in guide.links:
            target = guide.target(address)
            if target is None:
                continue
            path, anchor = target
            if not os.path.exists(os.path.join(root, path)) or path.startswith(".."):
                found.append((line, f"no such file: {address}"))
            elif anchor and path in by_source and anchor not in {each[1] for each in by_source[path].headings}:
                found.append((line, f"no such section: {address}"))
        problems += [f"{guide.source}:{line}: {text}" for line, text in found]
    return problems
