"""Computes when timers and calendar events fire with python-dateutil, one occurrence after another.

A request is a line with a list of cases. A case has a time zone, an instant `after` in seconds since 1970, and either
`fire`, the first firing of a timer, with its `recurrence` in `days` and `minutes`, or `moment`, the components of a
calendar event. The answer is a line with the list of the first times after the instants, `null` where there is none.
"""

import datetime
import json
import sys

from dateutil import tz
from dateutil.relativedelta import relativedelta
from dateutil.rrule import MONTHLY, YEARLY, rrule

UTC = datetime.timezone.utc


def instant(local, zone):
    """The instant of a time on the clock: the first of two; a skipped one as if the clock had not been changed."""
    return tz.resolve_imaginary(local.replace(tzinfo=zone, fold=0)).astimezone(UTC)


def next_timer(case, zone, after):
    fire = datetime.datetime.fromtimestamp(case["fire"], UTC)
    if fire > after:
        return fire
    days, minutes = case["recurrence"]["days"], case["recurrence"]["minutes"]
    local = fire.astimezone(zone).replace(tzinfo=None)
    count = 0
    while True:
        count += 1
        start = instant(local + relativedelta(days=days * count), zone) if days else fire
        time = start + datetime.timedelta(minutes=minutes * count)
        if time > after:
            return time


def next_moment(moment, zone, after):
    rule = {"byhour": range(24), "byminute": 0, "bysecond": moment.get("second", 0)}
    if "month" in moment:
        rule["bymonth"] = moment["month"]
        if moment.keys() == {"month"}:
            rule["bymonthday"] = 1
    if "day" in moment:
        rule["bymonthday"] = moment["day"]
    if "hour" in moment:
        rule["byhour"] = moment["hour"]
    elif "minute" not in moment:
        rule["byhour"] = 0
    if "minute" in moment:
        rule["byminute"] = moment["minute"]
    # A rule by year or month doesn't look at each day, so that few times need many steps.
    frequency = YEARLY if "month" in moment else MONTHLY
    rule.setdefault("bymonthday", range(1, 32))
    local = after.astimezone(zone).replace(tzinfo=None)
    start = local.replace(hour=0, minute=0, second=0, microsecond=0) - datetime.timedelta(days=3)
    earliest, end = None, None
    for time in rrule(frequency, dtstart=start, until=start + datetime.timedelta(days=9 * 366), **rule):
        if end and time > end:
            break
        candidate = instant(time, zone)
        if candidate > after:
            earliest = min(earliest or candidate, candidate)
            end = end or time + datetime.timedelta(days=3)
    return earliest


for line in sys.stdin:
    answers = []
    for case in json.loads(line):
        zone = tz.gettz(case["zone"])
        after = datetime.datetime.fromtimestamp(case["after"], UTC)
        time = next_timer(case, zone, after) if "fire" in case else next_moment(case["moment"], zone, after)
        answers.append(time and time.timestamp())
    print(json.dumps(answers), flush=True)
