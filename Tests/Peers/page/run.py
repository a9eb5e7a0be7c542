"""Tests of the page in a real browser, against a real hub with simulated accessories.

    python3 Tests/Peers/page/run.py --hearth .build/debug/hearth [--files Sources/HomePage/Files] [--only NAME] [--screens FOLDER]

Needs Debian's chromium and, from PyPI, playwright and axe-playwright-python. With --files, the page is served from that folder instead
of from the program. Prints a line for each test; the exit code is 1 if one failed. Tests wait for states, never for a time.
"""

import argparse
import os
import sys
import traceback

import checks

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def run_checks(files):
    failed = 0
    for check in checks.CHECKS:
        problems = check(files)
        report(check.__name__, "\n".join(problems[:20]))
        failed += bool(problems)
    return failed


def report(name, problem=""):
    print(f"{'FAIL' if problem else 'ok'}   {name}", flush=True)
    if problem:
        print("     " + problem.replace("\n", "\n     "), flush=True)


def run_browser(arguments):
    from playwright.sync_api import expect, sync_playwright

    import cases
    from front import Front
    from rig import Rig

    expect.set_options(timeout=60_000)
    failed = 0
    rig = Rig(os.path.abspath(arguments.hearth), cases.LIBRARY)
    front = Front(f"127.0.0.1:{rig.port}", arguments.files)
    try:
        cases.furnish(rig)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=arguments.browser)
            for case in cases.CASES:
                if arguments.only and arguments.only not in case.__name__:
                    continue
                scene = cases.Scene(rig, front, browser, arguments.screens)
                try:
                    case(scene)
                    problem = "\n".join(scene.problems())
                except Exception as error:  # A failed expectation is one of playwright's own.
                    problem = "\n".join([*traceback.format_exception_only(error)[:1], *traceback.format_tb(error.__traceback__)[-2:], *scene.problems()])[:3000]
                    scene.keep_failure(case.__name__)
                finally:
                    scene.close()
                report(case.__name__, problem)
                failed += bool(problem)
            browser.close()
    finally:
        front.stop()
        rig.stop()
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hearth", help="the program; without it, only the checks that need no browser run")
    parser.add_argument("--files", help="serve the page from this folder")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--only")
    parser.add_argument("--screens", help="a folder for screenshots of every screen")
    arguments = parser.parse_args()
    failed = 0 if arguments.only else run_checks(arguments.files or os.path.join(ROOT, "Sources/HomePage/Files"))
    if arguments.hearth:
        failed += run_browser(arguments)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
