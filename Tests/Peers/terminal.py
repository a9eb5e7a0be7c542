"""Runs a program on a terminal of its own and answers its prompts, as a person would.

    terminal.py RULES PROGRAM ARGUMENT...

RULES is a JSON list of objects: {"prompt": the beginning of a prompt's line, "send": the line to type}. With a member
"seen", the line is typed only if that text has appeared since the last answer, and the line "otherwise" if not. Each prompt
is answered by the first rule that fits. Prints {"status": the exit code, "text": all that the terminal showed}.
"""

import json
import os
import pty
import re
import sys


def fitting(rules, line):
    return next((rule for rule in rules if line.startswith(rule["prompt"]) and line.endswith(": ")), None)


rules = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[2], sys.argv[2:])
text, answered = "", 0
while True:
    try:
        received = os.read(terminal, 4096)
    except OSError:
        break
    if not received:
        break
    text += received.decode(errors="replace").replace("\r", "")
    rule = fitting(rules, re.split("\n", text)[-1])
    if rule is None or answered == len(text):
        continue
    send = rule["send"]
    if "seen" in rule and rule["seen"] not in text[answered:]:
        send = rule["otherwise"]
    answered = len(text)
    os.write(terminal, (send + "\n").encode())
_, status = os.waitpid(child, 0)
print(json.dumps({"status": os.waitstatus_to_exitcode(status), "text": text}))
