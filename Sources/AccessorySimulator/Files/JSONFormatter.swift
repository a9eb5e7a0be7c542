internal import HAP

/// A formatter for human-readable JSON: one member or element per line, two spaces per level, short flat values on one
/// line.
enum JSONFormatter {
    private static let width = 100
    private static let indent = "  "

    /// Formats JSON from a writer.
    static func text(of json: [UInt8]) -> [UInt8] {
        // A writer's output is valid JSON. If it weren't, return it unformatted.
        guard let value = try? JSONValue(parsing: json) else { return json }
        return Array((lines(value, depth: 0) + "\n").utf8)
    }

    private static func lines(_ value: JSONValue, depth: Int) -> String {
        let margin = String(repeating: indent, count: depth + 1)
        let end = "\n" + String(repeating: indent, count: depth)
        switch value {
        case .object(let members) where !members.isEmpty && !isShort(value, depth):
            let rows = members.map { "\(margin)\(compact(.string($0.name))): \(lines($0.value, depth: depth + 1))" }
            return "{\n\(rows.joined(separator: ",\n"))\(end)}"
        case .array(let elements) where !elements.isEmpty && !isShort(value, depth):
            let rows = elements.map { margin + lines($0, depth: depth + 1) }
            return "[\n\(rows.joined(separator: ",\n"))\(end)]"
        default:
            return spaced(value)
        }
    }

    /// Whether a value fits on one line and contains only scalars or flat lists.
    private static func isShort(_ value: JSONValue, _ depth: Int) -> Bool {
        guard depth > 1 else { return false }
        let parts = value.array ?? value.object.map { $0.map(\.value) } ?? []
        let isFlat = parts.allSatisfy { part in
            part.object == nil && (part.array ?? []).allSatisfy { $0.object == nil && $0.array == nil }
        }
        return isFlat && spaced(value).utf8.count + depth * indent.count <= width
    }

    private static func spaced(_ value: JSONValue) -> String {
        switch value {
        case .object(let members):
            let rows = members.map { "\(compact(.string($0.name))): \(spaced($0.value))" }
            return rows.isEmpty ? "{}" : "{ \(rows.joined(separator: ", ")) }"
        case .array(let elements):
            return "[\(elements.map(spaced).joined(separator: ", "))]"
        case .null, .bool, .integer, .unsigned, .double, .string:
            return compact(value)
        }
    }

    private static func compact(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.write(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
