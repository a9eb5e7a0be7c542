import Foundation

@testable import HAP

extension FuzzTarget {
    /// JSON text, compared with Foundation's reader.
    static let json = FuzzTarget("json", maximumLength: 512) { input throws(Violation) in
        let lenient = Result { () throws(JSONError) in try JSONValue(parsing: input, allowingTrailingCommas: true) }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: input)
        } catch {
            try hold((0...input.count).contains(error.offset), "the error is in the text")
            switch lenient {
            case .success:
                try hold(error.reason == .unexpectedCharacter, "only commas are ignored")
            case .failure(let error):
                let other = String(validating: input, as: UTF8.self).flatMap { foundation($0) }
                try hold(other == nil || isStricter(error.reason), "\(error.reason): other readers reject it too")
            }
            return false
        }
        try hold(lenient == .success(value), "the lenient reader gives the same value")
        let text = String(validating: input, as: UTF8.self)
        try hold(text != nil, "JSON is UTF-8")
        let other = text.flatMap { foundation($0) }
        try hold(other.map { isSame(value, $0) } ?? false, "other readers give the same value")
        try hold(depth(value) <= JSONValue.depthLimit, "depth is limited")

        var writer = JSONWriter()
        writer.write(value)
        let again = try? JSONValue(parsing: writer.bytes)
        try hold(again == shortest(value), "what is written is read back")
        return true
    }

    /// Returns whether our reader may reject what Foundation's accepts.
    private static func isStricter(_ reason: JSONError.Reason) -> Bool {
        [.duplicateName, .tooDeep, .tooMany, .loneSurrogate, .numberOutOfRange].contains(reason)
    }

    private static func foundation(_ text: String) -> Any? {
        // A zero byte makes Foundation guess that the text is UTF-16.
        text.utf8.contains(0)
            ? nil : try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    private static func isSame(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .bool(let value): (other as? NSNumber)?.boolValue == value
        case .integer(let value): (other as? NSNumber)?.int64Value == value
        case .unsigned(let value): (other as? NSNumber)?.uint64Value == value
        case .double(let value): (other as? NSNumber).map { isNear(value, $0.doubleValue) } ?? false
        case .string(let value): (other as? String).map { $0.utf8.elementsEqual(value.utf8) } ?? false
        case .array(let elements):
            (other as? [Any]).map {
                $0.count == elements.count && zip(elements, $0).allSatisfy { isSame($0, $1) }
            } ?? false
        case .object(let members):
            (other as? [String: Any]).map { others in
                others.count == members.count
                    && members.allSatisfy { member in others[member.name].map { isSame(member.value, $0) } ?? false }
            } ?? false
        }
    }

    /// Foundation parses some numbers as decimals and loses the last digits.
    private static func isNear(_ value: Double, _ other: Double) -> Bool {
        abs(value - other) <= abs(value) * 1e-14
    }

    /// Returns the value with whole numbers in their encoded form.
    private static func shortest(_ value: JSONValue) -> JSONValue {
        switch value {
        case .double(let value): Int64(exactly: value).map { .integer($0) } ?? .double(value)
        case .array(let elements): .array(elements.map { shortest($0) })
        case .object(let members):
            .object(members.reduce(into: JSONObject()) { _ = $0.add($1.name, shortest($1.value)) })
        default: value
        }
    }

    private static func depth(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map { depth($0) }.max() ?? 0)
        case .object(let members): 1 + (members.map { depth($0.value) }.max() ?? 0)
        default: 0
        }
    }
}
