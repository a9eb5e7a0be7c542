/// A service's description of itself: an ordered list of keys, each with or without a value (RFC 6763 section 6).
///
/// Keys compare without regard to the case of ASCII letters. Of a key that occurs more than once only the first
/// occurrence counts.
public struct TXTRecord: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// A key and what stands after its equals sign.
    public struct Entry: Hashable, Sendable {
        /// The key as it was written.
        public let key: String
        /// The value's bytes; `nil` for a key without an equals sign.
        public let value: [UInt8]?

        /// Creates an entry. Nothing is checked before it is advertised.
        public init(key: String, value: [UInt8]?) {
            self.key = key
            self.value = value
        }
    }

    /// The entries in order.
    public private(set) var entries: [Entry] = []

    /// Creates an empty description.
    public init() {}

    /// Creates a description from entries, dropping repeated keys.
    public init(entries: some Sequence<Entry>) {
        for entry in entries where !contains(entry.key) {
            self.entries.append(entry)
        }
    }

    /// Creates a description from keys and text values, dropping repeated keys.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(entries: elements.map { Entry(key: $0, value: Array($1.utf8)) })
    }

    /// The value of a key as text; `nil` if the key is absent or has no value. Bytes that are not UTF-8 are replaced.
    ///
    /// Setting a value keeps the entry's place, or appends one; setting `nil` removes the entry.
    public subscript(key: String) -> String? {
        get { bytes(for: key).map { String(decoding: $0, as: UTF8.self) } }
        set {
            if let newValue {
                set(Array(newValue.utf8), for: key)
            } else {
                entries.removeAll { $0.key.equalsFoldingASCII(key) }
            }
        }
    }

    /// The value of a key; `nil` if the key is absent or has no value.
    public func bytes(for key: String) -> [UInt8]? {
        entries.first { $0.key.equalsFoldingASCII(key) }?.value
    }

    /// Whether the key is present, with or without a value.
    public func contains(_ key: String) -> Bool {
        entries.contains { $0.key.equalsFoldingASCII(key) }
    }

    /// Sets a value, or with `nil` a key without one, keeping the entry's place or appending one.
    public mutating func set(_ value: [UInt8]?, for key: String) {
        let entry = Entry(key: key, value: value)
        if let index = entries.firstIndex(where: { $0.key.equalsFoldingASCII(key) }) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
    }

    /// The entries as `key=value`, separated by spaces.
    public var description: String {
        entries.map { entry in
            entry.value.map { "\(entry.key)=\(String(decoding: $0, as: UTF8.self))" } ?? entry.key
        }
        .joined(separator: " ")
    }
}
