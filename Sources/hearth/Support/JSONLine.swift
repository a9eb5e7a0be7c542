import Foundation

/// One JSON value on a line, keys sorted, as `--json` prints it.
struct JSONLine {
    /// The line without its end.
    let text: String

    /// Encodes a value. What the commands print is always JSON; should it not be, the line says so.
    init(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// Prints the line at once, also when the output is a pipe.
    func print() {
        ProgramOutput.line(text)
    }
}
