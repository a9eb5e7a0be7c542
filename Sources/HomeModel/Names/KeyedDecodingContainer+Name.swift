extension KeyedDecodingContainer {
    /// Decodes a name, cutting it if it is longer than the limit.
    func decodeName(forKey key: Key) throws -> String {
        NameRule.shortened(try decode(String.self, forKey: key))
    }
}
