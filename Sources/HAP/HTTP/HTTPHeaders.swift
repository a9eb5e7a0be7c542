internal import HAPCatalog

/// The header fields of a message, in order. Names are case-insensitive.
///
/// Characters that a message can't have are replaced: in a name by `_`, in a value by a space.
public struct HTTPHeaders: Sendable {
    /// The fields' lines as in a message, each with its end. Those of a message that was read stay where they were
    /// received, because nobody asks for most of them.
    private var lines: ArraySlice<UInt8>

    /// A header field.
    public struct Field: Hashable, Sendable {
        /// The name, with its original case.
        public let name: String
        /// The value, without leading and trailing white space.
        public let value: String
    }

    /// Creates headers without fields.
    public init() {
        lines = []
    }

    /// Creates headers from lines with ends that all have a field's form, as ``isField(_:)`` tells.
    init(lines: ArraySlice<UInt8>) {
        self.lines = lines
    }

    /// The value of the first field with the name, or `nil` if there is none.
    public subscript(name: String) -> String? {
        firstIndex(of: name).map { String(decoding: value(at: $0), as: UTF8.self) }
    }

    /// Returns the values of all fields with the name, in order.
    public func values(of name: String) -> [String] {
        indices.filter { HTTPSyntax.isSameName(self.name(at: $0), name) }.map { self[$0].value }
    }

    /// Adds a field at the end.
    public mutating func add(_ name: String, _ value: String) {
        lines += name.utf8.map { HTTPSyntax.isToken($0) ? $0 : UInt8(ascii: "_") }
        lines += [HTTPSyntax.colon, HTTPSyntax.space]
        lines += value.utf8.map { HTTPSyntax.isText($0) ? $0 : HTTPSyntax.space }
        lines += HTTPSyntax.lineEnd
    }

    /// Removes all fields with the name.
    public mutating func remove(_ name: String) {
        var rest = HTTPHeaders()
        for index in indices where !HTTPSyntax.isSameName(self.name(at: index), name) {
            rest.lines += line(at: index)
        }
        self = rest
    }
}

extension HTTPHeaders {
    /// The headers of a message with a HAP JSON body.
    static let json: HTTPHeaders = [HTTPHeaderName.contentType: HAPContentType.json]
}

// MARK: Lines

extension HTTPHeaders {
    /// The offsets of the parts of a field.
    private struct Place {
        let name: Range<Int>
        let value: Range<Int>
        /// The end of the line, after its line end.
        let end: Int

        /// Finds the parts of the field whose line is at an offset.
        init(in lines: UnsafeRawBufferPointer, at start: Int) {
            var nameEnd = start
            while nameEnd < lines.count, lines[nameEnd] != HTTPSyntax.colon { nameEnd += 1 }
            // Each line has a colon.
            precondition(nameEnd < lines.count, "no field is at the index")
            let lineEnd = HTTPSyntax.lineEnd(in: lines, from: nameEnd)
            name = start..<nameEnd
            value = HTTPSyntax.trimmed(lines, nameEnd + 1..<lineEnd)
            end = lineEnd + HTTPSyntax.lineEnd.count
        }
    }

    /// Returns whether a line, without its end, has a field's form.
    static func isField(_ line: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < line.count, HTTPSyntax.isToken(line[index]) { index += 1 }
        guard index > 0, index < line.count, line[index] == HTTPSyntax.colon else { return false }
        index += 1
        while index < line.count, HTTPSyntax.isText(line[index]) { index += 1 }
        return index == line.count
    }

    /// Calls a closure with the name and value of each field.
    func forEachField(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        lines.withUnsafeBytes { lines in
            var offset = 0
            while offset < lines.count {
                let place = Place(in: lines, at: offset)
                body(
                    UnsafeRawBufferPointer(rebasing: lines[place.name]),
                    UnsafeRawBufferPointer(rebasing: lines[place.value])
                )
                offset = place.end
            }
        }
    }

    /// Returns the first field with the name, or `nil` if there is none.
    func firstIndex(of name: String) -> Index? {
        var index = startIndex
        while index < endIndex {
            let place = place(at: index)
            if HTTPSyntax.isSameName(part(place.name), name) { return index }
            index = Index(offset: place.end)
        }
        return nil
    }

    /// Returns the name of a field.
    func name(at index: Index) -> ArraySlice<UInt8> {
        part(place(at: index).name)
    }

    /// Returns the value of a field.
    func value(at index: Index) -> ArraySlice<UInt8> {
        part(place(at: index).value)
    }

    /// Returns the line of a field, with its end.
    func line(at index: Index) -> ArraySlice<UInt8> {
        part(index.offset..<place(at: index).end)
    }

    private func place(at index: Index) -> Place {
        lines.withUnsafeBytes { Place(in: $0, at: index.offset) }
    }

    /// Returns the bytes at offsets.
    private func part(_ offsets: Range<Int>) -> ArraySlice<UInt8> {
        lines[(lines.startIndex + offsets.lowerBound)..<lines.startIndex + offsets.upperBound]
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from names and values, in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders: Hashable {
    /// Returns whether two headers have the same fields in the same order. White space around values doesn't count.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.lines == right.lines
            || left.indices.elementsEqual(right.indices) {
                left.name(at: $0) == right.name(at: $1) && left.value(at: $0) == right.value(at: $1)
            }
    }

    /// Hashes the fields.
    public func hash(into hasher: inout Hasher) {
        for index in indices {
            hasher.combine(name(at: index))
            hasher.combine(value(at: index))
        }
    }
}

extension HTTPHeaders: Collection {
    /// The position of a field.
    public struct Index: Comparable, Hashable, Sendable {
        /// The number of bytes before the field's line.
        fileprivate let offset: Int

        /// Returns whether the left field is before the right one.
        public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
    }

    /// The position of the first field.
    public var startIndex: Index { Index(offset: 0) }
    /// The position after the last field.
    public var endIndex: Index { Index(offset: lines.count) }
    /// Returns the position of the next field.
    public func index(after position: Index) -> Index {
        Index(offset: place(at: position).end)
    }
    /// The field at the position.
    public subscript(position: Index) -> Field {
        let place = place(at: position)
        return Field(
            name: String(decoding: part(place.name), as: UTF8.self),
            value: String(decoding: part(place.value), as: UTF8.self)
        )
    }
}
