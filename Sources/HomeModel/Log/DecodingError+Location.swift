extension DecodingError {
    /// The location and kind of an error in JSON, without the JSON itself.
    package var location: String {
        let (context, what) =
            switch self {
            case .keyNotFound(let key, let context): (context, "“\(key.stringValue)” is missing")
            case .typeMismatch(let type, let context): (context, "not a \(type)")
            case .valueNotFound(let type, let context): (context, "null instead of a \(type)")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (Context(codingPath: [], debugDescription: ""), "not readable")
            }
        let path = Self.path(context)
        return path.isEmpty ? what : "\(path): \(what)"
    }

    /// The path of the JSON that is wrong: for a missing member, where it should be; empty for the whole.
    package var path: String {
        switch self {
        case .keyNotFound(let key, let context):
            [Self.path(context), key.stringValue].filter { !$0.isEmpty }.joined(separator: ".")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            Self.path(context)
        @unknown default: ""
        }
    }

    private static func path(_ context: Context) -> String {
        context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
}
