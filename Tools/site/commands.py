"""The command reference, generated from what the program says about itself."""

import html
import json
import re
import subprocess

from page import Page, code_block, heading, inline_code, relative, scrolling_table, slug


def read(program):
    """The program's commands, and the titles of the groups in which its help lists them."""
    dump = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    help_text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    groups, current = [], None
    for line in help_text.splitlines():
        if match := re.fullmatch(r"(?:([A-Z ]+) )?SUBCOMMANDS:", line):
            current = ((match[1] or "Other").capitalize(), [])
            groups.append(current)
        elif current and (match := re.match(r"  ([a-z][a-z-]*)(?:\s|$)", line)):
            current[1].append(match[1])
    return json.loads(dump)["command"], groups


def dashed(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def term(argument):
    value = f"<{argument.get('valueName', '')}>"
    if argument["kind"] == "positional":
        return value
    names = ", ".join(dashed(each) for each in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} {value}"


def arguments(command):
    """The arguments, without --help and --version."""
    return [
        each
        for each in command.get("arguments", [])
        if each["shouldDisplay"] and not any(part["name"] in ("help", "version") for part in each.get("names", []))
    ]


def children(command):
    return [each for each in command.get("subcommands", []) if each["commandName"] != "help" and each.get("shouldDisplay", True)]


def synopsis(path, command):
    words = [" ".join(path)]
    for argument in arguments(command):
        word = term(argument).split(", ")[-1] + ("..." if argument["isRepeating"] else "")
        words.append(f"[{word}]" if argument["isOptional"] else word)
    return " ".join(words)


def prose(text):
    """Text of the help: commands in quotation marks and options are code."""
    text = html.escape(text, quote=False)
    text = re.sub(r"“(-[^”]*|hearth [^”]*)”", r"<code>\1</code>", text)
    return re.sub(r"(?<![\w>-])(--[a-z][a-z-]*)", r'<code class="word">\1</code>', text)


def discussion(text):
    out = []
    for paragraph in (text or "").split("\n\n"):
        match = re.match(r"Examples?:\s*(.*)", paragraph, re.DOTALL)
        if match:
            lines = [line.strip() for line in match[1].splitlines()]
            out.append(f"<p>Example:</p>\n{code_block(chr(10).join(lines))}")
        elif re.search(r"^\S.*?\s{2,}\S", paragraph, re.MULTILINE):
            out.append(code_block(paragraph))
        elif paragraph:
            out.append(f"<p>{prose(paragraph)}</p>\n".replace("\n", "<br>\n", paragraph.count("\n")))
    return "".join(out)


def option_table(command):
    rows = []
    for argument in arguments(command):
        notes = [prose(argument.get("abstract", ""))]
        if argument.get("allValues"):
            notes.append("Values: " + ", ".join(inline_code(each) for each in argument["allValues"]) + ".")
        if argument.get("defaultValue") and argument["kind"] != "flag":
            notes.append(f"Default: {inline_code(argument['defaultValue'])}.")
        rows.append(f"<tr><td>{inline_code(term(argument))}</td><td>{' '.join(notes)}</td></tr>")
    return scrolling_table(
        '<thead><tr><th scope="col">Argument</th><th scope="col">Meaning</th></tr></thead><tbody>' + "".join(rows) + "</tbody>"
    ) if rows else ""


def describe(path, command, level, seen, page):
    """Adds the sections of a command and its subcommands to a page."""
    name = " ".join(path)
    if level > 1:
        anchor = slug(name, seen)
        page.headings.append((level, anchor, name))
        page.body += heading(min(level, 6), anchor, f"<code>{html.escape(name)}</code>")
    page.body += f"<p>{prose(command.get('abstract', ''))}</p>\n"
    below = children(command)
    default = command.get("defaultSubcommand")
    if below:
        if default:
            page.body += f"<p>Without a subcommand, it runs <code>{html.escape(f'{name} {default}')}</code>.</p>\n"
    else:
        page.body += code_block(synopsis(path, command))
    page.body += discussion(command.get("discussion"))
    if not below or arguments(command):
        page.body += option_table(command)
    page.text += " " + command.get("abstract", "") + " " + (command.get("discussion") or "")
    for each in below:
        describe(path + [each["commandName"]], each, level + 1, seen, page)


def pages(program):
    """A page for each family of commands, and one that lists them."""
    root, groups = read(program)
    families = {each["commandName"]: each for each in children(root)}
    listed = [name for _, names in groups for name in names if name in families]
    if sorted(listed) != sorted(families):
        raise ValueError(f"the help lists {sorted(listed)}, but the program has {sorted(families)}")
    index = "commands/index.html"
    overview = Page(index, "Commands", '<h1 id="commands">Commands</h1>\n', text=root.get("discussion", ""))
    overview.body += discussion(root.get("discussion"))
    result = [overview]
    seen = {}
    for title, names in groups:
        names = [name for name in names if name in families]
        if not names:
            continue
        anchor = slug(title, seen)
        overview.headings.append((2, anchor, title))
        overview.body += heading(2, anchor, html.escape(title)) + "<dl>"
        for name in names:
            path = f"commands/{name}.html"
            page = Page(path, f"hearth {name}", f'<h1 id="{name}"><code>hearth {name}</code></h1>\n', parent=index)
            describe(["hearth", name], families[name], 1, {name: 1}, page)
            result.append(page)
            link = relative(path, index)
            overview.body += f'<dt><a href="{link}"><code>hearth {name}</code></a></dt><dd>{prose(families[name]["abstract"])}</dd>'
        overview.body += "</dl>\n"
    return result
