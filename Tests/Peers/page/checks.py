"""Checks of the page's files that need no browser: texts of all languages, contrast of all colours, sizes, and what the policy forbids."""

import gzip
import os
import re

#: The plural forms that each language needs, by Unicode's rules.
FORMS = {
    "en": {"one", "other"},
    "de": {"one", "other"},
    "ru": {"one", "few", "many", "other"},
    "ja": {"other"},
    "zh-Hans": {"other"},
}
#: What the first page loads; the rest follows when a screen needs it.
FIRST = ["index.html", "app.css"] + [
    f"{name}.js" for name in "app actions connection dom model words words-en kinds chars tiles home router".split()
]
DISCS = ["light", "heat", "cool", "safe", "water", "air", "media", "warn", "alarm"]


def texts(path):
    """The keys of a text module: a string, or a dictionary of plural forms."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    found = {}
    for match in re.finditer(
        r'(?:"([^"]+)"|\b([A-Za-z]\w*)):\s+("(?:[^"\\]|\\.)*"|\{[^{}]*?(?:"(?:[^"\\]|\\.)*"[^{}]*?)*\})', source
    ):
        key, value = match[1] or match[2], match[3]
        found[key] = value[1:-1] if value[0] == '"' else dict(re.findall(r'(\w+):\s+"((?:[^"\\]|\\.)*)"', value))
    return found


def all_texts(files, language):
    return texts(os.path.join(files, f"words-{language}.js")) | texts(os.path.join(files, f"words-{language}-more.js"))


def placeholders(text):
    return set(re.findall(r"\{(\w+)\}", " ".join(text.values()) if isinstance(text, dict) else text))


def check_texts(files):
    """Every language has the same keys, the same placeholders, and the plural forms of its own."""
    problems = []
    english = all_texts(files, "en")
    if len(english) < 500:
        problems.append(f"only {len(english)} texts were read")
    for language, forms in FORMS.items():
        own = all_texts(files, language)
        if set(texts(os.path.join(files, f"words-{language}.js"))) != set(texts(os.path.join(files, "words-en.js"))):
            problems.append(f"{language}: other texts than those of English are in the module of the first page")
        problems += [f"{language}: no text for {key}" for key in english if key not in own]
        problems += [f"{language}: {key} is not a text of English" for key in own if key not in english]
        for key in english.keys() & own.keys():
            if placeholders(english[key]) != placeholders(own[key]):
                problems.append(f"{language}: {key} has other placeholders")
            if isinstance(english[key], dict) != isinstance(own[key], dict):
                problems.append(f"{language}: {key} has plural forms in one language only")
            elif isinstance(own[key], dict) and set(own[key]) != forms:
                problems.append(f"{language}: {key} has the forms {sorted(own[key])}")
    return problems


def check_uses(files):
    """Every text that the page asks for exists, and those that the modules of the first page ask for are there from the start."""
    english = all_texts(files, "en")
    first = texts(os.path.join(files, "words-en.js"))
    problems = []
    for name in sorted(os.listdir(files)):
        if not name.endswith(".js") or name.startswith("words-"):
            continue
        with open(os.path.join(files, name), encoding="utf-8") as file:
            source = file.read()
        for key in re.findall(r'\bt\("([^"]+)"', source):
            if key not in english:
                problems.append(f"{name}: there is no text {key}")
            # Failures and names of properties come later than the first page.
            elif name in FIRST and key not in first and not key.startswith(("e.", "c.")):
                problems.append(f"{name}: the text {key} is not in words-en.js")
    return problems


def check_kinds(files):
    """The page calls a type of service by the same kind as the hub, with the same English name."""
    sources = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Sources")

    def read(*path):
        with open(os.path.join(*path), encoding="utf-8") as file:
            return file.read()

    numbers = re.findall(
        r"static let `?(\w+)`? = HAPType\(short: 0x(\w+)\)",
        read(sources, "HAPCatalog", "Generated", "HAPType+Service.swift"),
    )
    number = {name: code.lstrip("0").upper() for name, code in numbers}
    hub = read(sources, "HomeModel", "Records", "ServiceKind.swift")
    kinds = {number[name]: kind for name, kind in re.findall(r"HAPType\.Service\.`?(\w+)`?: \.(\w+)", hub)}
    english = dict(
        re.findall(r'\.(\w+): "([^"]+)"', read(sources, "HomeText", "Language", "Language+EnglishKinds.swift"))
    )
    table = read(files, "kinds.js").split("const TYPES = {")[1].split("\n};")[0]
    page = dict(re.findall(r'^  "?(\w+)"?: \{\s*kind: "(\w+)"', table, re.MULTILINE))
    texts_of_page = all_texts(files, "en")
    problems = [f"only {len(each)} types were read" for each in (page, kinds) if len(each) < 35]
    for code, kind in page.items():
        if kinds.get(code) != kind:
            problems.append(f"kinds.js: the type {code} is {kind}, but {kinds.get(code)} for the hub")
        if texts_of_page[f"k.{kind}"].lower() != english[kind].lower():
            problems.append(f"words-en.js: k.{kind} is not “{english[kind]}”")
    tiles = hub.split("// MARK: Tiles")[1].split("// MARK:")[0]
    for kind in re.findall(r"\w+", " ".join(re.findall(r"case ([^\n]+)", tiles))):
        if f"k.{kind}" not in texts_of_page:
            problems.append(f"words-en.js: there is no k.{kind}")
    return problems


#: Failures that only programs cause, and those whose screens have words of their own.
PROGRAMS = set(
    """
    actionInAnotherActionSet actionOnSameCharacteristic alreadyInGroup alreadyInTrigger alreadyInZone clockKindMismatch clockNotManual damaged
    defaultRoomNotInZone fireDateNotOnMinute futureFormat invalidAccessory invalidAssociatedType invalidParameter keyReused malformedMessage noActionSets noHub
    notGreeted notInGroup notInTrigger notInZone notNotifying purposeMissing recurrenceNotOnMinute signedOut streamEnded triggerOwnedActionSet unknownMethod
    untrustedHub versionMismatch wrongCode
    """.split()
)


def check_failures(files):
    """The page has words for whatever the hub can refuse, and for every trouble of an accessory."""
    sources = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Sources")
    known = all_texts(files, "en")
    problems = []
    for path, least in {
        "HubAPI/Diagnosis/AccessoryTrouble.swift": 30,
        "HubAPI/Messages/HubError.swift": 40,
        "HomeModel/Home/HomeError.swift": 40,
        "LocalRPC/Messages/RPCError.swift": 4,
    }.items():
        with open(os.path.join(sources, path), encoding="utf-8") as file:
            codes = set(re.findall(r'static let \w+ = (?:Self|Code)\(rawValue: "(\w+)"\)', file.read()))
        if len(codes) < least:
            problems.append(f"{path}: only {len(codes)} codes were read")
        problems += [
            f"{path}: there is no text e.{code}" for code in sorted(codes - PROGRAMS) if f"e.{code}" not in known
        ]
    return problems


def tokens(files):
    with open(os.path.join(files, "app.css"), encoding="utf-8") as file:
        pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", file.read())
    return {name: (light, dark) for name, light, dark in pairs}


def luminance(color):
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def check_contrast(files):
    """Text has 4.5 to 1 on every surface, icons and borders of fields 3 to 1, in light and in dark."""
    colors = tokens(files)
    wanted = []
    for surface in ("bg", "tile", "tile-on", "sheet", "well"):
        wanted += [
            ("text", surface, 7),
            ("text2", surface, 4.5),
            ("edge", surface, 3),
            ("accent", surface, 4.5),
            ("warn", surface, 4.5),
            ("alarm", surface, 4.5),
        ]
    wanted += [("off", surface, 3) for surface in ("bg", "tile", "sheet", "well")]
    wanted += (
        [("on-accent", "accent", 4.5)]
        + [(f"{disc}-icon", f"{disc}-well", 3) for disc in DISCS]
        + [("text", f"{disc}-well", 7) for disc in DISCS]
    )
    problems = []
    for front, back, least in wanted:
        if front not in colors or back not in colors:
            problems.append(f"--{front} or --{back} is missing")
            continue
        for look in (0, 1):
            ratio = contrast(colors[front][look], colors[back][look])
            if ratio < least:
                problems.append(f"--{front} on --{back}, {('light', 'dark')[look]}: {ratio:.2f} is below {least}")
    return problems


def served(files, name):
    """A file without comments and indentation, as the hub sends it."""
    with open(os.path.join(files, name), encoding="utf-8") as file:
        source = file.read()
    if name.endswith(".html"):
        return source.encode()
    return re.sub(r"^ *(?://[^\n]*|/\*.*?\*/)?(?:\n|(?=\S))|^ +", "", source, flags=re.M | re.S).encode()


def check_size(files):
    """The first page needs at most 14 requests and 60 kB: 6 of them are headers."""
    total = sum(len(gzip.compress(served(files, name), 9)) for name in FIRST)
    return [] if total <= 54_000 and len(FIRST) <= 14 else [f"{len(FIRST)} files, {total} bytes"]


def check_policy(files):
    """Nothing that the policy of the page forbids, or that would let a name be read as markup."""
    problems = []
    for name in sorted(os.listdir(files)):
        with open(os.path.join(files, name), encoding="utf-8") as file:
            source = file.read()
        if name.endswith(".js"):
            # The hub leaves out the lines that are comments; it looks at lines only.
            problems += [
                f"{name}, line {at}: a template of several lines"
                for at, line in enumerate(source.split("\n"), 1)
                if line.replace("\\`", "").count("`") % 2
            ]
            for word in (
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "DOMParser",
                "document.cookie",
            ):
                if word in source:
                    problems.append(f"{name} uses {word}")
        if re.search(r"(?:src|href|url\(|fetch\(|from) ?[\"'(]?https?://", source.replace("http://www.w3.org", "")):
            problems.append(f"{name} asks another server")
        if name == "index.html" and re.search(r"<[^>]+\sstyle=|<style|<script(?![^>]*\ssrc=)|\son\w+=", source):
            problems.append("index.html has styles or scripts within")
    return problems


CHECKS = [check_texts, check_uses, check_kinds, check_failures, check_contrast, check_size, check_policy]
