extension KeyedDecodingContainer {
    /// Reads a name, and the beginning of one that is longer than a name may be.
    func decodeName(forKey key: Key) throws -> String {
        NameRule.shortened(try decode(String.self, forKey: key))
    }
}
