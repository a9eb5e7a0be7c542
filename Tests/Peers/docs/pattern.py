"""Messages as the pages show them: with … for what is left out, and shortened IDs."""

import json
import re

from rig import Failure


def parse(text):
    """The JSON of a message on a page. What … stands for is missing; a string that ends with … is a name for an ID."""
    text = re.sub(r",\s*…\s*(?=[,}\]])", "", text)
    text = re.sub(r"(?<=[{\[])\s*…\s*,?(?=[^…]*)(?=[\"}\]])", "", text)
    return json.loads(text)


def match(shown, actual, names, where="the message"):
    """Compares what a page shows with what came. Keys of the page must be there, with values of the same type; strings must be
    the same, except for shortened IDs, which must stand for the same ID everywhere on the page. `names` collects these."""
    if isinstance(shown, dict):
        if not isinstance(actual, dict):
            raise Failure(f"{where}: not an object: {actual}")
        # Values by instance IDs, which differ from accessory to accessory.
        if shown and all(key.isdigit() for key in shown):
            if not all(key.isdigit() for key in actual):
                raise Failure(f"{where}: not instance IDs: {list(actual)}")
            return
        for key, value in shown.items():
            if key not in actual:
                raise Failure(f"{where}: no {key}, only {', '.join(actual)}")
            match(value, actual[key], names, f"{where}.{key}")
    elif isinstance(shown, list):
        if not isinstance(actual, list) or shown and not actual:
            raise Failure(f"{where}: not a list like {shown}: {actual}")
        for value in shown:
            if not any(matches(value, each, names) for each in actual):
                match(value, actual[0], names, f"{where}[0]")
    elif isinstance(shown, bool) or shown is None:
        if type(actual) is not type(shown):
            raise Failure(f"{where}: {actual}, not like {shown}")
    elif isinstance(shown, (int, float)):
        if not isinstance(actual, (int, float)) or isinstance(actual, bool):
            raise Failure(f"{where}: {actual}, not a number")
    elif not isinstance(actual, str):
        raise Failure(f"{where}: {actual}, not text")
    elif "…" not in shown:
        if shown != actual:
            raise Failure(f"{where}: {actual!r}, not {shown!r}")
    elif re.fullmatch(r"[0-9A-Fa-f]{4}…", shown) and names.setdefault(shown, actual) != actual:
        raise Failure(f"{where}: {shown} was {names[shown]} before, and is now {actual}")


def matches(shown, actual, names):
    try:
        match(shown, actual, dict(names))
    except Failure:
        return False
    match(shown, actual, names)
    return True


def filled(shown, names):
    """What a page shows, with the IDs that its names stand for."""
    if isinstance(shown, dict):
        return {filled(key, names): filled(value, names) for key, value in shown.items()}
    if isinstance(shown, list):
        return [filled(each, names) for each in shown]
    if isinstance(shown, str) and "…" in shown:
        if shown not in names:
            raise Failure(f"nothing says what {shown} stands for")
        return names[shown]
    return shown
