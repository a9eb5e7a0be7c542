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
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        return path.isEmpty ? what : "\(path): \(what)"
    }
}
