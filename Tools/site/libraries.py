"""The libraries' documentation as plain pages, from the data that docc writes for its own pages, which need JavaScript."""

import html
import json
import os
import re

from page import Page, code_block, heading, inline_code, relative, scrolling_table

#: The kinds of symbols that have a page. Others are sections of the page of what contains them.
CONTAINERS = {"module", "class", "struct", "enum", "protocol", "extension"}


class Library:
    """The documentation of one module."""

    def __init__(self, data, module):
        self.data, self.module = data, module
        self.root = f"/documentation/{module.lower()}"
        self.nodes = {}
        self.pages = {}

    def node(self, url):
        """What docc knows about a symbol or an article; None if it has no page."""
        if url not in self.nodes:
            file = os.path.join(self.data, url.lstrip("/") + ".json")
            self.nodes[url] = json.load(open(file, encoding="utf-8")) if os.path.exists(file) else None
        return self.nodes[url]

    def is_page(self, node):
        return node["metadata"].get("symbolKind") in CONTAINERS or node["metadata"]["role"] == "article"

    def path(self, url):
        """The file of the page of a symbol that has one."""
        return f"libraries{url.removeprefix('/documentation').lower()}.html"

    def place(self, url):
        """The file and the anchor where a symbol is described, or None."""
        if not url.startswith(self.root) or (node := self.node(url)) is None or node["metadata"]["role"] == "collectionGroup":
            return None
        if self.is_page(node):
            return self.path(url), None
        parent, _, _ = url.rpartition("/")
        if url not in self.members(parent):
            return None
        return self.path(parent), anchor(url)

    def members(self, url):
        """The addresses of what a page lists, by sections, as one list."""
        node = self.node(url)
        return [each for _, urls in self.topics(node) for each in urls] if node and self.is_page(node) else []

    def topics(self, node):
        """The sections in which a page lists its members: a title and the members' addresses."""
        result = []
        for section in node.get("topicSections", []):
            urls = [node["references"][each]["url"] for each in section["identifiers"] if "url" in node["references"].get(each, {})]
            urls = [each for each in urls if (member := self.node(each)) and member["metadata"]["role"] != "collectionGroup"]
            if urls:
                result.append((section["title"], urls))
        return result

    def build(self):
        self.add(self.root)
        return list(self.pages.values())

    def add(self, url):
        path = self.path(url)
        if path in self.pages:
            return
        node = self.node(url)
        title = node["metadata"]["title"]
        page = self.pages[path] = Page(path, title, "", parent="libraries/index.html")
        writer = Writer(self, page, node)
        kind = node["metadata"].get("roleHeading", "")
        above = [("libraries/index.html", "Libraries")]
        parts = url.removeprefix("/documentation/").split("/")
        for depth in range(1, len(parts)):
            parent = "/documentation/" + "/".join(parts[:depth])
            if self.node(parent) and self.is_page(self.node(parent)):
                above.append((self.path(parent), self.node(parent)["metadata"]["title"]))
        crumbs = "".join(f'<li><a href="{relative(target, path)}">{html.escape(name)}</a></li>' for target, name in above)
        name = html.escape(title)
        is_article = node["metadata"]["role"] == "article"
        page.body += f'<nav class="crumbs" aria-label="Path"><ol>{crumbs}</ol></nav>\n<h1>{name if is_article else f"<code>{name}</code>"}</h1>\n'
        if kind and not is_article:
            page.body += f'<p class="kind">{html.escape(kind)}</p>\n'
        page.body += writer.description(node, 1)
        page.text = writer.plain(node.get("abstract", []))
        below = []
        for number, (section, urls) in enumerate(self.topics(node)):
            identifier = f"topic-{number + 1}"
            page.headings.append((2, identifier, section))
            page.body += heading(2, identifier, html.escape(section))
            linked = [each for each in urls if self.is_page(self.node(each))]
            if linked:
                page.body += "<dl>"
                for each in linked:
                    member = self.node(each)
                    name = html.escape(member["metadata"]["title"])
                    name = name if member["metadata"]["role"] == "article" else f"<code>{name}</code>"
                    page.body += f'<dt><a href="{relative(self.path(each), path)}">{name}</a></dt><dd>{writer.inline(member.get("abstract", []), member)}</dd>'
                page.body += "</dl>\n"
                below += linked
            for each in urls:
                if each not in linked:
                    member = self.node(each)
                    page.headings.append((3, anchor(each), member["metadata"]["title"]))
                    page.body += heading(3, anchor(each), f"<code>{html.escape(member['metadata']['title'])}</code>")
                    page.body += writer.description(member, 3)
        interactive = relative(f"api{url.lower()}/index.html", path).removesuffix("index.html")
        page.body += f'<p class="more"><a href="{html.escape(interactive)}">This page in the interactive documentation</a>, which needs JavaScript and a web server.</p>\n'
        for each in below:
            self.add(each)


#: The names of operators' characters, so that the IDs of a type's operators differ.
OPERATORS = {"+": "plus", "-": "minus", "=": "equal", "<": "less", ">": "greater"}


def anchor(url):
    name = re.sub(r"^[-+=<>]+(?=\()", lambda match: "-".join(OPERATORS[c] for c in match[0]), url.rpartition("/")[2].lower())
    return re.sub(r"[^a-z0-9_.:-]+", "-", name).strip("-") or "operator"


class Writer:
    """Makes HTML of docc's content, for one page."""

    def __init__(self, library, page, node):
        self.library, self.page, self.node = library, page, node

    def description(self, node, level):
        """The declaration, abstract and discussion of a symbol under a heading of that level."""
        out = []
        for section in node.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                for each in section["declarations"]:
                    out.append(code_block("".join(token["text"] for token in each["tokens"])))
        if abstract := self.inline(node.get("abstract", []), node):
            out.append(f"<p>{abstract}</p>\n")
        for section in node.get("primaryContentSections", []):
            if section["kind"] == "parameters":
                items = "".join(
                    f"<dt><code>{html.escape(each['name'])}</code></dt><dd>{self.blocks(each['content'], node, level)}</dd>"
                    for each in section["parameters"]
                )
                out.append(f"<dl>{items}</dl>\n")
            elif section["kind"] == "content":
                # docc's own headings, Overview and Discussion, only repeat that this is the text.
                content = section["content"]
                if content and content[0]["type"] == "heading" and content[0]["text"] in ("Overview", "Discussion"):
                    content = content[1:]
                out.append(self.blocks(content, node, level))
        return "".join(out)

    def blocks(self, blocks, node, level):
        return "".join(self.block(each, node, level) for each in blocks)

    def block(self, block, node, level):
        kind = block["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'], node)}</p>\n"
        if kind == "heading":
            depth = min(max(block["level"], level + 1), 6)
            if level > 1:
                return f"<h{depth}>{html.escape(block['text'])}</h{depth}>\n"
            self.page.headings.append((depth, block["anchor"], block["text"]))
            return heading(depth, html.escape(block["anchor"]), html.escape(block["text"]))
        if kind in ("unorderedList", "orderedList"):
            items = "".join(f"<li>{self.blocks(each['content'], node, level)}</li>" for each in block["items"])
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>{items}</{tag}>\n"
        if kind == "termList":
            items = "".join(
                f"<dt>{self.inline(each['term']['inlineContent'], node)}</dt><dd>{self.blocks(each['definition']['content'], node, level)}</dd>"
                for each in block["items"]
            )
            return f"<dl>{items}</dl>\n"
        if kind == "codeListing":
            return code_block("\n".join(block["code"]), block.get("syntax") or "")
        if kind == "aside":
            name = block.get("name") or block["style"].capitalize()
            return f'<div class="aside"><p><strong>{html.escape(name)}</strong></p>{self.blocks(block["content"], node, level)}</div>\n'
        if kind == "table":
            rows = []
            for number, row in enumerate(block["rows"]):
                tag, scope = ("th", ' scope="col"') if number == 0 else ("td", "")
                cells = "".join(f"<{tag}{scope}>{''.join(self.cell(part, node) for part in cell)}</{tag}>" for cell in row)
                rows.append(f"<tr>{cells}</tr>")
            return scrolling_table(f"<thead>{rows[0]}</thead><tbody>{''.join(rows[1:])}</tbody>")
        raise ValueError(f"{self.page.path}: docc has content of a new kind: {kind}")

    def cell(self, part, node):
        return self.inline(part["inlineContent"], node) if part["type"] == "paragraph" else self.block(part, node, 1)

    def inline(self, parts, node):
        out = []
        for part in parts:
            kind = part["type"]
            if kind == "text":
                out.append(html.escape(part["text"], quote=False))
            elif kind == "codeVoice":
                out.append(inline_code(part["code"]))
            elif kind in ("strong", "emphasis", "newTerm"):
                tag = "em" if kind == "emphasis" else "strong"
                out.append(f"<{tag}>{self.inline(part['inlineContent'], node)}</{tag}>")
            elif kind == "reference":
                out.append(self.reference(part, node))
            elif kind == "link":
                out.append(f'<a href="{html.escape(part["destination"])}">{html.escape(part["title"])}</a>')
            else:
                raise ValueError(f"{self.page.path}: docc has text of a new kind: {kind}")
        return "".join(out)

    def reference(self, part, node):
        target = node["references"].get(part["identifier"], {})
        title = html.escape(target.get("title", part["identifier"].rpartition("/")[2]))
        if target.get("kind") == "symbol":
            title = f"<code>{title}</code>"
        url = target.get("url", "")
        if target.get("type") == "link":
            return f'<a href="{html.escape(url)}">{title}</a>'
        place = self.library.place(url)
        if place is None:
            return title
        path, fragment = place
        address = relative(path, self.page.path) + (f"#{fragment}" if fragment else "")
        return f'<a href="{html.escape(address)}">{title}</a>'

    def plain(self, parts):
        return re.sub(r"<[^>]*>", "", self.inline(parts, self.node))


def pages(data, modules):
    """The pages of all modules, and one that lists them."""
    index = Page("libraries/index.html", "Libraries", '<h1 id="libraries">Libraries</h1>\n')
    index.body += (
        "<p>The modules that your programs can import. These pages work everywhere; the same content in the style of Apple's documentation is "
        'in the <a href="../api/documentation/">interactive documentation</a>, which needs JavaScript and a web server.</p>\n<dl>'
    )
    result = [index]
    for module in modules:
        library = Library(data, module)
        built = library.build()
        first = built[0]
        index.body += f'<dt><a href="{relative(first.path, index.path)}"><code>{module}</code></a></dt><dd>{html.escape(first.text)}</dd>'
        index.text += f" {module} {first.text}"
        result += built
    index.body += "</dl>\n"
    return result
