"""A minimal reader of Swift sources for Tools/api-ledger: code without comments and strings, bodies, tests."""
import re


def code_of(source):
    """Returns the source with comments and string contents blanked, keeping positions and interpolations.

    >>> code_of('a("b{" + "\\\\(c)") // d')
    'a("  " + " (c)")     '
    """
    out = list(source)
    end = len(source)

    def blank(start, stop):
        for i in range(start, stop):
            if out[i] != "\n":
                out[i] = " "

    def text(i):
        """Blanks the string that starts at `i`, and returns its end."""
        hashes = re.match("#*", source[i:]).group()
        quote = '"""' if source.startswith('"""', i + len(hashes)) else '"'
        close, escape = quote + hashes, "\\" + hashes
        i += len(hashes) + len(quote)
        while i < end and not source.startswith(close, i):
            if source.startswith(escape + "(", i):
                blank(i, i + len(escape))
                i = code(i + len(escape) + 1, ")") + 1
            elif source.startswith(escape, i):
                blank(i, i + len(escape) + 1)
                i += len(escape) + 1
            else:
                blank(i, i + 1)
                i += 1
        return i + len(close)

    def code(i, close=None):
        """Skips code up to a closing bracket, and returns its position."""
        depth = 0
        while i < end:
            if source.startswith("//", i):
                stop = source.find("\n", i)
                stop = end if stop < 0 else stop
                blank(i, stop)
                i = stop
            elif source.startswith("/*", i):
                stop = source.find("*/", i)
                stop = end if stop < 0 else stop + 2
                blank(i, stop)
                i = stop
            elif re.match('#*"', source[i:i + 8]):
                i = text(i)
            else:
                if close and source[i] == close and depth == 0:
                    return i
                depth += {"(": 1, ")": -1}.get(source[i], 0)
                i += 1
        return i

    code(0)
    return "".join(out)


def closing(code, start):
    """Returns where the bracket that opens at `start` closes."""
    pairs = {"{": "}", "(": ")", "[": "]"}
    opening, close = code[start], pairs[code[start]]
    depth = 0
    for match in re.finditer(re.escape(opening) + "|" + re.escape(close), code[start:]):
        depth += 1 if match.group() == opening else -1
        if depth == 0:
            return start + match.start()
    return len(code) - 1


def body_after(code, start):
    """Returns the body of the declaration whose name is at `start`, without its braces, or None.

    >>> body_after("func a(_ b: Int = 1) -> [Int: Int]\\n{ c }", 5)
    ' c '
    >>> body_after("let a: Int\\nfunc b() { c }", 4)
    >>> body_after("let a = { b }()", 4)
    """
    depth = 0
    for i in range(start, len(code)):
        character = code[i]
        if character == "{" and depth == 0:
            return code[i + 1:closing(code, i)]
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1}.get(character, 0)
        if character == ">" and code[i - 1] != "-":
            depth -= 1
        if character == "\n" and depth == 0:
            following = code[i:].lstrip()
            if not re.match(r"[{:]|->|async\b|throws\b|where\b", following):
                return None
        if character == "=" and depth == 0 or character == "}":
            return None
    return None


ASSERTION = re.compile(r"#(?:expect|require)\b|\b(?:expect\w*|until)\s*(?=[({])")
SINK = re.compile(r"\b(\w+)(?:\.\w+|\?)*\.(?:append|insert|note|put|withLock|change)\s*(?=[({])|\b(\w+)\s*[+-]?=(?!=)")
BINDING = re.compile(r"\b(?:let|var|for|case)\b([^=\n{]*?)(?:=(?!=)|\bin\b)|\b(?:func|class|struct)\s+(\w+)")


def after_arguments(code, start):
    """Returns the end of a call whose arguments or first trailing closure start at `start`.

    >>> after_arguments('f(a) { b } other: { c } d', 1)
    23
    """
    end = start
    while match := re.match(r"\s*(?:\w+:\s*)?(?=[({])", code[end:]):
        opening = end + match.end()
        if code[opening] == "(" and end != start:
            break
        end = closing(code, opening) + 1
    return end


def statement_end(code, start):
    """Returns the end of the statement that contains `start`.

    >>> statement_end("a(1,\\n 2)\\n  .b\\nc", 0)
    13
    """
    depth = 0
    for i in range(start, len(code)):
        character = code[i]
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(character, 0)
        if depth < 0:
            return i
        if character == "\n" and depth == 0 and not re.match(r"\s*[.?:&|+=]", code[i:]):
            return i
    return len(code)


def is_asserted(code, places, effects=False):
    """Whether an assertion checks the code at given positions of a function: it contains the code or its result.

    >>> def asserted(code, effects=False):
    ...     return is_asserted(code, list(re.finditer("symbol", code)), effects)
    >>> [asserted(code) for code in ("#expect(a.symbol)", "let b = a.symbol\\n#expect(b)", "a.symbol\\n#expect(true)")]
    [True, True, False]
    >>> asserted("try await a.symbol()\\n#expect(a.b)", effects=True)
    True
    >>> asserted("#expect(a.b)\\ntry await a.symbol()", effects=True)
    False
    """
    assertions = []
    for match in ASSERTION.finditer(code):
        assertions.append((match.start(), after_arguments(code, match.end())))
    if effects and any(place.start() < end for place in places for _, end in assertions):
        return True
    flows = []
    for match in BINDING.finditer(code):
        if match.group(2):
            body = code.find("{", match.end())
            flows.append(({match.group(2)}, match.start(), closing(code, body) if body >= 0 else match.end()))
        else:
            names = set(re.findall(r"\b[a-z_]\w*\b", re.sub(r":[^,)]*", "", match.group(1))))
            flows.append((names, match.start(), statement_end(code, match.end())))
    for match in SINK.finditer(code):
        flows.append(({match.group(1) or match.group(2)}, match.start(), statement_end(code, match.end())))
    names, known = set(), None
    while names != known:
        known = set(names)
        for bound, start, end in flows:
            inside = code[start:end]
            if any(start <= place.start() < end for place in places) or any(
                re.search(rf"\b{re.escape(name)}\b", inside) for name in known
            ):
                names |= bound
    for start, end in assertions:
        if any(start <= place.start() < end for place in places):
            return True
        if any(re.search(rf"\b{re.escape(name)}\b", code[start:end]) for name in names):
            return True
    return False


class SourceFile:
    """A source file: its text, its code and its functions."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.code = code_of(self.text)
        self.lines = [0]
        for match in re.finditer("\n", self.text):
            self.lines.append(match.end())

    def position(self, line, character):
        return self.lines[line] + character

    def functions(self):
        """Yields the name, start (with attributes), end and test flag of each function with a body."""
        for match in re.finditer(r"\bfunc\s+([^\s(<]+)", self.code):
            place = self.code.find("{", match.end())
            parameters = self.code.find("(", match.end())
            if parameters < 0 or body_after(self.code, match.start(1)) is None:
                continue
            place = self.code.find("{", closing(self.code, parameters))
            head = max(self.code.rfind(mark, 0, match.start()) for mark in "{};") + 1
            attributes = self.code[head:match.start()]
            yield match.group(1), head, closing(self.code, place) + 1, bool(re.search(r"@Test\b", attributes))

    def suite_at(self, position):
        """Returns the types that enclose a position, outermost first, joined by dots."""
        names = []
        for match in re.finditer(r"\b(?:struct|class|enum|actor|extension)\s+(\w[\w.]*)[^{}()\n]*\{", self.code):
            if match.end() <= position <= closing(self.code, match.end() - 1):
                names.append(match.group(1))
        return ".".join(names)


# Words without an effect, and the names through which a body reaches the queue and the completion.
IDLE = set(
    "any as async await catch completion completionHandler context DispatchQueue do else false for func get guard HMError "
    "if in is let link main mutating nil queue return self Self set some switch Task throw throws true try var view "
    "where".split()
)
# Types whose creation doesn't count as work.
BOXES = {"Data", "Date", "NSNumber", "UUID"}


def is_idle(body):
    """Whether a body only throws, passes a constant, ends with an error, or does nothing.

    >>> [is_idle(body) for body in ("", "nil", "[]", ".connected", "HMHomeHubState.connected", "NSNumber(value: 1)")]
    [True, True, True, True, True, True]
    >>> is_idle("let error = HMError(.notFound)\\n link.queue.async { completion(nil, error) }")
    True
    >>> is_idle("try await Task { throw HMError(.operationNotSupported) }")
    True
    >>> [is_idle(body) for body in ("context.homes", "HMRoom(id)", "await completing { identify(completion: $0) }")]
    [False, False, False]
    """
    local = set(re.findall(r"\b(?:let|var)\s+(\w+)", body)) | set(re.findall(r"\{\s*\(?(\w+)\)?\s+in\b", body))
    # Ignore members without a base (`.notFound`), labels, and cases with their type.
    body = re.sub(r"(?<![\w)\]?!])\.\w+", " ", body)
    body = re.sub(r"\b\w+: ", " ", body)
    body = re.sub(r"\b[A-Z]\w*(\.[A-Z]\w*)*\.[a-z]\w*\b(?!\s*[({])", " ", body)
    for word, call in re.findall(r"(?<![\w$#])([A-Za-z_]\w*)(\s*[({])?", body):
        # A type's name counts only where an instance is created.
        if word not in IDLE | BOXES | local and (call or word[0].islower()):
            return False
    return True
