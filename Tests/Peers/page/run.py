"""Tests of the page in a real browser, against a real hub with simulated accessories.

    python3 Tests/Peers/page/run.py --hearth .build/debug/hearth [--files Sources/HomePage/Files] [--quick] [--only NAME] [--screens FOLDER]

Needs Debian's chromium and the packages of Tests/Peers/page.txt. With --files, the page is served from that folder instead of from the
program. With --quick, tests that visit every screen are left out. Prints a line for each test; the exit code is 1 if one failed. Tests
wait for states, never for a time.
"""

import argparse
import faulthandler
import os
import sys
import threading
import time
import traceback

import checks

#: The seconds after which a test that waits for something without a limit of its own ends the run. The slowest test takes 30.
LIMIT = 600
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def run_checks(files):
    failed = 0
    for check in checks.CHECKS:
        problems = check(files)
        report(check.__name__, "\n".join(problems[:20]))
        failed += bool(problems)
    return failed


def report(name, problem="", seconds=None):
    print(f"{'FAIL' if problem else 'ok'}   {name}{f' ({seconds:.1f} s)' if seconds is not None else ''}", flush=True)
    if problem:
        print("     " + problem.replace("\n", "\n     "), flush=True)


class Watchdog:
    """Ends the run, naming the test and where each thread is, if a test exceeds its time."""

    def __init__(self, name, rig):
        self.name, self.rig = name, rig
        self.timer = threading.Timer(LIMIT, self.end)
        self.timer.daemon = True

    def __enter__(self):
        self.timer.start()

    def __exit__(self, *error):
        self.timer.cancel()

    def end(self):
        report(self.name, f"did not end within {LIMIT} s")
        faulthandler.dump_traceback(all_threads=True)
        for process in self.rig.processes:
            process.kill()
        os._exit(1)


def described(error):
    """The lines that tell of an error, after those of the one that it followed: what a test does at its end may fail for that."""
    first = described(error.__context__) if error.__context__ else []
    return [*first, *traceback.format_exception_only(error)[:1], *traceback.format_tb(error.__traceback__)[-2:]]


def run_browser(arguments):
    from playwright.sync_api import expect, sync_playwright

    import cases
    from front import Front
    from rig import Rig

    expect.set_options(timeout=60_000)
    failed = 0
    selected = [each for each in cases.CASES if not arguments.only or arguments.only in each.__name__]
    if not selected:
        sys.exit(f"no test of cases.py has “{arguments.only}” in its name")
    rig = Rig(os.path.abspath(arguments.hearth), cases.LIBRARY)
    front = Front(f"127.0.0.1:{rig.port}", arguments.files)
    try:
        cases.furnish(rig)
        with sync_playwright() as playwright:
            # Containers have little shared memory.
            browser = playwright.chromium.launch(
                executable_path=arguments.browser, args=["--disable-dev-shm-usage", "--disable-gpu"]
            )
            for case in selected:
                if arguments.quick and case in cases.SLOW:
                    continue
                started = time.monotonic()
                scene = cases.Scene(rig, front, browser, arguments.screens)
                with Watchdog(case.__name__, rig):
                    try:
                        case(scene)
                        problem = "\n".join(scene.problems())
                    except Exception as error:  # A failed expectation is one of playwright's own.
                        problem = "\n".join([*described(error), *scene.problems()])[:3000]
                        scene.keep_failure(case.__name__)
                    finally:
                        scene.close()
                report(case.__name__, problem, time.monotonic() - started)
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
    parser.add_argument("--quick", action="store_true", help="leave out the tests that visit every screen")
    parser.add_argument("--only", help="run the tests whose name contains this")
    parser.add_argument("--screens", help="a folder for screenshots of every screen")
    arguments = parser.parse_args()
    failed = 0 if arguments.only else run_checks(arguments.files or os.path.join(ROOT, "Sources/HomePage/Files"))
    if arguments.hearth:
        failed += run_browser(arguments)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
