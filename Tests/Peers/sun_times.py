"""Computes sunrises, sunsets and elevations of the sun with astral, for each line of standard input.

A line with `{"latitude", "longitude", "zone", "year"}` is answered by a list of `[sunrise, sunset]` for the days of the
year in the time zone, in seconds since 1970; `null` where the sun doesn't rise or set, or astral finds no time on that
date. A line with `{"latitude", "longitude", "times"}` is answered by the elevations of the sun at these times in degrees,
without refraction.
"""

import datetime
import json
import sys
import zoneinfo

from astral import Observer
from astral.sun import elevation, sunrise, sunset


def seconds(event, observer, date, zone):
    try:
        return event(observer, date=date, tzinfo=zone).timestamp()
    except ValueError:
        return None


def days(observer, zone, year):
    date = datetime.date(year, 1, 1)
    while date.year == year:
        yield [seconds(event, observer, date, zone) for event in (sunrise, sunset)]
        date += datetime.timedelta(days=1)


for line in sys.stdin:
    request = json.loads(line)
    observer = Observer(request["latitude"], request["longitude"])
    if "times" in request:
        times = [datetime.datetime.fromtimestamp(time, datetime.timezone.utc) for time in request["times"]]
        answer = [elevation(observer, time, with_refraction=False) for time in times]
    else:
        answer = list(days(observer, zoneinfo.ZoneInfo(request["zone"]), request["year"]))
    print(json.dumps(answer), flush=True)
