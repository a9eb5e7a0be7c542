"""Runs the examples of the documentation, page by page, on a machine of their own.

    run.py --hearth PROGRAM [--only PAGE]

Needs the packages of Tools/site.txt. Without --inside, starts itself again in new namespaces, where the examples can use the ports,
addresses and folders that the pages name. Each block of code on a page is run, or says in a comment above it why it isn't:

    <!-- not run: it builds Hearth -->
    <!-- checked by Tests/HearthTests/FirstMinutesTests.swift -->

A file that checks an example names the page, or what the example starts with. Blocks of Swift stand in files that are compiled, which
PageExampleTests checks. The exit code is 1 if an example failed, or is neither run nor marked.
"""

import argparse
import os
import re
import sys
import time
import traceback

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "Tools/site"))

import guides  # noqa: E402
from rig import Failure, Machine, set_up_machine  # noqa: E402

import pages  # noqa: E402

MARKER = re.compile(r"<!-- (not run|checked by):? (.+?) -->\s*$")


class Block:
    """A block of code of a page."""

    def __init__(self, guide, index, section):
        token = guide.tokens[index]
        self.guide, self.section = guide, section
        self.line, self.language, self.text = token.map[0] + 1, token.info.strip(), token.content.rstrip("\n")
        before = guide.tokens[index - 1] if index else None
        marker = MARKER.search(before.content) if before is not None and before.type == "html_block" else None
        #: How the block is marked: whether it is not run or checked elsewhere, and why or where.
        self.marker = (marker[1], marker[2]) if marker else None

    def __str__(self):
        return f"{self.guide.source}:{self.line}"


def blocks(guide):
    """The blocks of a page in order, each with the heading it stands under."""
    section, result = "", []
    for index, token in enumerate(guide.tokens):
        if token.type == "heading_open":
            section = guides.plain(guide.tokens[index + 1])
        elif token.type in ("fence", "code_block"):
            result.append(Block(guide, index, section))
    return result


def problem_of_marker(block):
    """What is wrong with a block's marker, if anything."""
    kind, what = block.marker
    if kind == "not run":
        return None
    path = os.path.join(ROOT, what)
    if not os.path.isfile(path):
        return f"no such file: {what}"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name = os.path.basename(block.guide.source)
    return None if name in text or block.text.split("\n")[0] in text else f"{what} names neither {name} nor the example"


def compiled_pages():
    """The pages whose blocks of Swift are compiled."""
    with open(os.path.join(ROOT, "Tests/ArchitectureTests/PageExampleTests.swift"), encoding="utf-8") as file:
        return set(re.findall(r'path: "([^"]+)"', file.read()))


def run_page(guide, hearth, counts):
    """Runs a page's examples and returns what is wrong."""
    problems, wanted = [], []
    for block in blocks(guide):
        if block.marker:
            counts[block.marker[0]] += 1
            if problem := problem_of_marker(block):
                problems.append(f"{block}: {problem}")
        elif block.language == "swift":
            counts["compiled"] += 1
            if guide.source not in compiled_pages():
                problems.append(f"{block}: not a page of PageExampleTests")
        else:
            wanted.append(block)
    if not wanted:
        return problems
    if guide.source not in pages.PAGES:
        return problems + [f"{each}: neither run nor marked" for each in wanted]
    machine = Machine(ROOT, hearth)
    block = None
    try:
        page = pages.PAGES[guide.source](machine)
        page.prepare()
        for block in wanted:
            page.run(block)
            counts["run"] += 1
        block = None
        page.finish()
    except Exception as error:  # Anything that goes wrong is the example's.
        text = str(error) if isinstance(error, Failure) else traceback.format_exc()
        problems.append(f"{block or guide.source}: {text}")
        problems += [f"{' '.join(each.words)} printed:\n{each.printed()[-1500:]}" for each in machine.programs]
    try:
        machine.end()
    except Failure as error:
        problems.append(f"{guide.source}: {error}")
    return problems


def documented():
    """The files with examples: the pages for users, and those of the libraries."""
    names = ["README.md", "CONTRIBUTING.md", "Examples/GarageDoor/README.md"]
    names += [f"Documentation/{each}" for each in sorted(os.listdir(os.path.join(ROOT, "Documentation"))) if each.endswith(".md")]
    for folder, _, files in sorted(os.walk(os.path.join(ROOT, "Sources"))):
        if ".docc" in folder:
            names += [os.path.relpath(os.path.join(folder, each), ROOT) for each in sorted(files) if each.endswith(".md")]
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hearth", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--inside", action="store_true")
    options = parser.parse_args()
    if not options.inside:
        words = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        words += [sys.executable, "-B", *sys.argv, "--inside"]
        os.execvp(words[0], words)
    set_up_machine()
    counts = {"run": 0, "compiled": 0, "checked by": 0, "not run": 0}
    failed = False
    for name in documented():
        if options.only not in name:
            continue
        started = time.monotonic()
        problems = run_page(guides.Guide(ROOT, name), os.path.abspath(options.hearth), counts)
        print(f"{'FAIL' if problems else 'ok  '} {name} ({time.monotonic() - started:.1f} s)", flush=True)
        for each in problems:
            print("     " + each.replace("\n", "\n     "), flush=True)
        failed = failed or bool(problems)
    print(", ".join(f"{count} {what}" for what, count in (
        ("examples run", counts["run"]), ("compiled", counts["compiled"]), ("checked by other tests", counts["checked by"]), ("not run", counts["not run"]),
    )))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
