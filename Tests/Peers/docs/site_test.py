"""Tests of what builds the documentation's site: a mistake on a page is found."""

import os
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "Tools/site"))

import guides  # noqa: E402
import links  # noqa: E402
import page  # noqa: E402
import pattern  # noqa: E402
from rig import Failure  # noqa: E402


class MarkdownTests(unittest.TestCase):
    def problems(self, **files):
        """What is wrong with pages of these contents."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                with open(os.path.join(folder, f"{name}.md"), "w", encoding="utf-8") as file:
                    file.write(text)
            return guides.check(folder, [guides.Guide(folder, f"{name}.md") for name in files])

    def test_links_to_files_and_sections_that_exist_are_right(self):
        self.assertEqual(self.problems(a="# A\n\n[b](b.md#two-words)\n[a](#a)\n", b="# B\n\n## Two `Words`\n"), [])

    def test_links_that_lead_nowhere_are_named_with_their_line(self):
        found = self.problems(a="# A\n\n[b](b.md#no)\n\n[c](c.md)\n\n[d](#d)\n", b="# B\n")
        self.assertEqual(found, ["a.md:3: no such section: b.md#no", "a.md:5: no such file: c.md", "a.md:7: no such section: #d"])

    def test_repeated_headings_have_different_anchors(self):
        self.assertEqual(self.problems(a="# A\n\n## X\n\n## X\n\n[1](#x) [2](#x-1)\n"), [])

    def test_blocks_need_a_fence_and_a_language(self):
        self.assertEqual(len(self.problems(a="# A\n\n    code\n\n```\nmore\n```\n")), 2)

    def test_html_is_refused_but_comments_are_not(self):
        self.assertEqual(self.problems(a="# A\n\n<!-- note -->\n\n<b>x</b>\n"), ["a.md:5: HTML in Markdown: <b>", "a.md:5: HTML in Markdown: </b>"])

    def test_a_page_has_one_title(self):
        self.assertEqual(len(self.problems(a="## A\n", b="# B\n\n# C\n")), 2)


class SiteTests(unittest.TestCase):
    def problems(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                with open(os.path.join(folder, f"{name}.html"), "w", encoding="utf-8") as file:
                    file.write(text)
            return links.check(folder, [f"{name}.html" for name in files])

    def test_pages_may_link_to_each_other_and_to_other_sites(self):
        self.assertEqual(self.problems(a='<a href="b.html#x">b</a><a href="https://www.swift.org">Swift</a>', b='<p id="x">'), [])

    def test_a_missing_page_or_section_is_found(self):
        self.assertEqual(self.problems(a='<a href="c.html">c</a><a href="#y">y</a>'), ["a.html: no such page: c.html", "a.html: no such section: #y"])

    def test_a_page_loads_nothing_from_elsewhere(self):
        self.assertEqual(self.problems(a='<script src="https://example.com/x.js"></script>'), ["a.html: loads https://example.com/x.js"])

    def test_a_repeated_id_is_found(self):
        self.assertEqual(self.problems(a='<p id="x"><p id="x">'), ["a.html: two elements have the ID x"])

    def test_the_prompts_of_a_console_stand_out(self):
        self.assertIn('<span class="prompt">$</span> <b>hearth get &lt;x&gt;</b>\n3', page.code_block("$ hearth get <x>\n3\n", "console"))


class PatternTests(unittest.TestCase):
    def test_what_is_left_out_may_be_anything(self):
        shown = pattern.parse('{"a":{…},"b":[…],"id":"12AB…",…,"n":1}')
        pattern.match(shown, {"a": {"x": 1}, "b": [], "id": "12abcd", "n": 7, "more": None}, {})

    def test_what_is_shown_must_be_there_and_of_its_kind(self):
        for actual in ({}, {"n": "1"}, {"n": True}):
            with self.assertRaises(Failure):
                pattern.match({"n": 1}, actual, {})

    def test_a_shortened_id_stands_for_one_id(self):
        names = {}
        pattern.match({"id": "12AB…"}, {"id": "x"}, names)
        with self.assertRaises(Failure):
            pattern.match({"id": "12AB…"}, {"id": "y"}, names)


if __name__ == "__main__":
    unittest.main()
