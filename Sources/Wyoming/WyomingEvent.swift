package import HAP

/// An event: a type and its data. A payload isn't part of it, because no event that Hearth handles has one.
package struct WyomingEvent: Hashable, Sendable {
    /// The type, such as `describe`.
    package var type: String
    /// The data of the first line.
    private var line: JSONObject?
    /// The data after the first line, which take precedence.
    private var block: JSONObject?

    /// Creates an event.
    init(type: String, line: JSONObject?, block: JSONObject?) {
        self.type = type
        self.line = line
        self.block = block
    }

    /// Returns the value of a member of the data.
    package subscript(name: String) -> JSONValue? { block?[name] ?? line?[name] }

    /// Returns an event in the form that is sent.
    ///
    /// - Parameter data: A closure that writes the members of the data.
    package static func bytes(type: String, data: (inout JSONWriter) -> Void = { _ in }) -> [UInt8] {
        var body = JSONWriter()
        body.object(data)
        var header = JSONWriter()
        header.object { writer in
            writer.member("type", type)
            writer.member("data_length", body.bytes.count)
        }
        return header.bytes + [UInt8(ascii: "\n")] + body.bytes
    }
}
