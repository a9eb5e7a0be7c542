"""Speaks commands with espeak-ng, hears them with pocketsphinx, and tells the home what was heard.

Usage: speech.py HEARTH BRIDGE [--least COUNT]. Starts a hub and simulated accessories, writes the home's grammar with
`hearth say --grammar`, and prints a table: what was spoken, what was heard, and what the accessories did. Exits with 1 if fewer
than --least commands did what they say, or if a command did something else to an accessory.
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
import wave

import pocketsphinx

sys.path.insert(0, os.path.dirname(__file__))
from simulated_home import Home  # noqa: E402

# What is said, and the values that it leads to: accessory, characteristic, value.
COMMANDS = [
    ("turn on desk lamp", [("Desk Lamp", "On", True)]),
    ("set desk lamp to forty percent", [("Desk Lamp", "Brightness", 40)]),
    ("turn off desk lamp", [("Desk Lamp", "On", False)]),
    ("turn on floor lamp", [("Floor Lamp", "On", True)]),
    ("set floor lamp to twenty percent", [("Floor Lamp", "Brightness", 20)]),
    ("turn on kitchen light", [("Kitchen Light", "On", True)]),
    ("set kitchen light to seventy percent", [("Kitchen Light", "Brightness", 70)]),
    ("turn on ceiling fan", [("Ceiling Fan", "On", True)]),
    ("turn off ceiling fan", [("Ceiling Fan", "On", False)]),
    ("turn on coffee maker", [("Coffee Maker", "On", True)]),
    ("open garden blinds", [("Garden Blinds", "TargetPosition", 100)]),
    ("close garden blinds", [("Garden Blinds", "TargetPosition", 0)]),
    ("lock front door", [("Front Door", "LockTargetState", 1)]),
    ("set heating to twenty degrees", [("Heating", "TargetTemperature", 20)]),
    ("turn off the kitchen lights", [("Kitchen Light", "On", False)]),
    ("turn on the study lights", [("Desk Lamp", "On", True)]),
    ("turn off coffee maker", [("Coffee Maker", "On", False)]),
    ("run movie night", [("Desk Lamp", "Brightness", 5), ("Ceiling Fan", "On", True)]),
    ("is front door locked", []),
    ("turn off all the lights", [("Desk Lamp", "On", False), ("Floor Lamp", "On", False)]),
]
RATE = 16_000
# How far the recognizer looks. It is slower than usual, but still several times faster than speech.
BEAMS = {"beam": 1e-80, "pbeam": 1e-80, "wbeam": 1e-60}


def values(home):
    """Returns the values that commands can change, as the accessories report them."""
    kinds = {(name, kind) for _, effects in COMMANDS for name, kind, _ in effects}
    return {(name, kind): home.value(name, kind) for name, kind in kinds}


def fitting(grammar, decoder):
    """Returns the grammar without what has a word that the dictionary lacks, and these words."""
    missing = set()

    def is_known(text):
        words = re.findall(r"[^\s()|;<>=]+", text)
        unknown = [word for word in words if decoder.lookup_word(word) is None]
        missing.update(unknown)
        return not unknown

    def alternatives(match):
        kept = [part for part in match.group(1).split("|") if is_known(part)]
        return "(%s)" % " | ".join(part.strip() for part in kept) if kept else "<VOID>"

    lines, rules = [], []
    header, rest = grammar.split("\n", 2)[:2], grammar.split("\n", 2)[2]
    for line in rest.splitlines():
        if not line.startswith("<"):
            continue
        name, body = line.rstrip(";").split(" = ", 1)
        body = re.sub(r"\(([^()]*)\)", alternatives, body)
        if "<VOID>" not in body and is_known(re.sub(r"\([^()]*\)", " ", body)):
            lines.append("%s = %s;" % (name, body))
            rules.append(name)
    command = "public <command> = %s;" % " | ".join(rules)
    return "\n".join(header + [command] + lines) + "\n", sorted(missing)


def spoken(text, folder):
    """Returns the samples of a voice that says a text."""
    path = os.path.join(folder, "spoken.wav")
    subprocess.run(["espeak-ng", "-v", "en-us+f2", "-s", "130", "-w", path, text], check=True)
    with wave.open(path) as file:
        rate, samples = file.getframerate(), file.readframes(file.getnframes())
    silence = bytes(RATE // 2 * 2)
    return silence + resampled(samples, rate) + silence


def resampled(samples, rate):
    """Returns 16-bit samples at the recognizer's rate, by linear interpolation."""
    values = memoryview(samples).cast("h")
    count = len(values) * RATE // rate
    output = bytearray()
    for index in range(count):
        place, rest = divmod(index * rate, RATE)
        following = values[min(place + 1, len(values) - 1)]
        value = values[place] + (following - values[place]) * rest // RATE
        output += value.to_bytes(2, "little", signed=True)
    return bytes(output)


def sentences(grammar):
    """Returns all sentences of a grammar whose rules have no rules in them."""
    found = set()
    for line in grammar.splitlines():
        if not line.startswith("<"):
            continue
        parts = re.split(r"\(([^()]*)\)", line.rstrip(";").split(" = ", 1)[1])
        choices = [part.split("|") if index % 2 else [part] for index, part in enumerate(parts)]
        found.update(" ".join(" ".join(words).split()) for words in itertools.product(*choices))
    return found


def heard(decoder, samples, known):
    """Returns the sentence that the recognizer hears; nothing if that is only the beginning of one."""
    decoder.start_utt()
    decoder.process_raw(samples, full_utt=True)
    decoder.end_utt()
    hypothesis = decoder.hyp()
    text = hypothesis.hypstr.strip() if hypothesis else ""
    return text if text in known else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hearth")
    parser.add_argument("bridge")
    parser.add_argument("--least", type=int, default=18)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        home = Home(options.hearth, options.bridge, folder)
        try:
            done, wrong = demonstrate(home, folder)
        finally:
            home.stop()
    print("%d of %d commands did what they say; %d did something else." % (done, len(COMMANDS), wrong))
    if done < options.least or wrong > 0:
        raise SystemExit(1)


def demonstrate(home, folder):
    whole = pocketsphinx.Decoder(samprate=RATE, loglevel="FATAL")
    grammar, missing = fitting(home.run("say", "--grammar", "--language", "en").stdout, whole)
    if missing:
        print("The recognizer's dictionary lacks: %s" % ", ".join(missing))
    path = os.path.join(folder, "home.jsgf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(grammar)
    decoder = pocketsphinx.Decoder(samprate=RATE, loglevel="FATAL", jsgf=path, **BEAMS)
    known = sentences(grammar)
    done = wrong = 0
    print("| Spoken | Heard | Answer | Accessories |\n| --- | --- | --- | --- |")
    for text, effects in COMMANDS:
        before = values(home)
        sentence = heard(decoder, spoken(text, folder), known)
        result = home.run("say", sentence, check=False) if sentence else None
        answer = (result.stdout or result.stderr).strip() if result else ""
        after = values(home)
        expected = dict(before)
        expected.update({(name, kind): value for name, kind, value in effects})
        changes = ["%s %s %s" % (*key, after[key]) for key in sorted(after) if after[key] != before[key]]
        is_done = bool(result) and result.returncode == 0 and after == expected
        is_wrong = any(after[key] not in (before[key], expected[key]) for key in after)
        done += is_done
        wrong += is_wrong
        mark = "" if is_done else " **wrong**" if is_wrong else " (not done)"
        print("| %s | %s | %s | %s%s |" % (text, sentence, answer, ", ".join(changes) or "–", mark), flush=True)
    return done, wrong


main()
