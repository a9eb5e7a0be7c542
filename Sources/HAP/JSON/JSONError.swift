/// An error in JSON text.
public struct JSONError: Error, Hashable, Sendable {
    /// The kind of error.
    public var reason: Reason
    /// The offset of the first invalid byte, from 0.
    public var offset: Int

    /// Creates an error.
    public init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The kinds of errors.
    public enum Reason: String, Hashable, Sendable {
        /// The text is incomplete.
        case unexpectedEnd = "unexpected end"
        /// A character is not allowed at its position.
        case unexpectedCharacter = "unexpected character"
        /// There are characters after the value.
        case trailingCharacters = "characters after the text"
        /// A number violates the grammar, such as `01`, `1.` or `+1`.
        case malformedNumber = "malformed number"
        /// A number is beyond the range of a double.
        case numberOutOfRange = "number out of range"
        /// A string contains a control character.
        case controlCharacter = "control character in a string"
        /// An escape sequence is unknown.
        case malformedEscape = "malformed escape"
        /// One half of a surrogate pair occurs without the other.
        case loneSurrogate = "lone surrogate"
        /// The bytes are not UTF-8.
        case invalidUTF8 = "invalid UTF-8"
        /// A name occurs twice in one object.
        case duplicateName = "duplicate name"
        /// Arrays and objects are nested too deeply.
        case tooDeep = "nested too deeply"
        /// There are more values than allowed for a text of this length.
        case tooMany = "too many values"
    }
}

extension JSONError: CustomStringConvertible {
    /// The reason and the offset.
    public var description: String {
        "invalid JSON: \(reason.rawValue) at byte \(offset)"
    }
}
