/// Why a text is no JSON.
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong.
    public var reason: Reason
    /// The first byte that is wrong, counted from 0.
    public var offset: Int

    /// Creates an error.
    public init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// What can be wrong.
    public enum Reason: String, Hashable, Sendable {
        /// The text ends before it is whole.
        case unexpectedEnd = "unexpected end"
        /// A character that cannot stand there.
        case unexpectedCharacter = "unexpected character"
        /// Something stands after the text.
        case trailingCharacters = "characters after the text"
        /// A number that breaks the grammar, such as `01`, `1.` or `+1`.
        case malformedNumber = "malformed number"
        /// A number beyond the range of a double.
        case numberOutOfRange = "number out of range"
        /// A control character in a string.
        case controlCharacter = "control character in a string"
        /// An escape that JSON does not know.
        case malformedEscape = "malformed escape"
        /// One half of a surrogate pair without the other.
        case loneSurrogate = "lone surrogate"
        /// Bytes that are no UTF-8.
        case invalidUTF8 = "invalid UTF-8"
        /// A name comes twice in one object.
        case duplicateName = "duplicate name"
        /// Arrays and objects nest too deeply.
        case tooDeep = "nested too deeply"
        /// There are more values than a text of this length may have.
        case tooMany = "too many values"
    }
}

extension JSONError: CustomStringConvertible {
    /// What is wrong, and where.
    public var description: String {
        "no JSON: \(reason.rawValue) at byte \(offset)"
    }
}
