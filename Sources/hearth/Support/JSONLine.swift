import Foundation

/// One line of JSON output, with sorted keys.
struct JSONLine {
    /// The line, without a line break.
    let text: String

    /// Encodes a value. If encoding fails, the line is `null`.
    init(_ value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        text = (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// Prints the line immediately, also to a pipe.
    func print() {
        ProgramOutput.line(text)
    }
}
