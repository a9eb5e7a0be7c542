"""Prints how long hassil takes for English sentences with Home Assistant's own intents, as one JSON line.

usage: hassil_sentences.py ROUNDS

Needs the packages hassil and home-assistant-intents.
"""
import json
import sys
import time

from hassil import Intents, SlotList, TextSlotList, recognize_best
from home_assistant_intents import get_intents

NAMES = [f"{kind} {number}" for number in range(6) for kind in ("Lamp", "Plug", "Blind", "Lock", "Sensor")]
AREAS = ["Kitchen", "Room 1", "Room 2"]
SENTENCES = [
    "could you please turn off all the lights in the kitchen", "set lamp 5 to forty percent", "is lock 3 locked",
    "which lights are on", "close the blinds and turn off plug 11", "what is the weather like tomorrow",
]


def main():
    data = get_intents("en")
    start = time.perf_counter()
    intents = Intents.from_dict(data)
    lists: dict[str, SlotList] = {
        "name": TextSlotList.from_strings(NAMES, name="name"),
        "area": TextSlotList.from_strings(AREAS, name="area"),
        "floor": TextSlotList.from_strings(["Upstairs"], name="floor"),
    }
    recognize_best(SENTENCES[0], intents, slot_lists=lists)
    first = (time.perf_counter() - start) * 1000
    times = []
    for _ in range(int(sys.argv[1])):
        for sentence in SENTENCES:
            start = time.perf_counter()
            recognize_best(sentence, intents, slot_lists=lists)
            times.append((time.perf_counter() - start) * 1000)
    print(json.dumps({"first": first, "times": times}), flush=True)


main()
