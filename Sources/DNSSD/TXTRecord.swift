/// A service's description of itself: an ordered list of keys, each with or without a value (RFC 6763 section 6).
///
/// Keys are compared without regard to the case of ASCII letters. If a key occurs more than once, only the first
/// occurrence counts.
public struct TXTRecord: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// A key with its value.
    public struct Entry: Hashable, Sendable {
        /// The key as it was spelled.
        public let key: String
        /// The value's bytes; `nil` for a key without an equals sign.
        public let value: [UInt8]?

        /// Creates an entry. It is checked when it is advertised.
        public init(key: String, value: [UInt8]?) {
            self.key = key
            self.value = value
        }
    }

    /// The entries in order.
    public private(set) var entries: [Entry] = []

    /// Creates an empty record.
    public init() {}

    /// Creates a record from entries, dropping repeated keys.
    public init(entries: some Sequence<Entry>) {
        for entry in entries where !contains(entry.key) {
            self.entries.append(entry)
        }
    }

    /// Creates a record from keys and string values, dropping repeated keys.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(entries: elements.map { Entry(key: $0, value: Array($1.utf8)) })
    }

    /// The value of a key as a string; `nil` if the key is absent or has no value. Bytes that aren't UTF-8 are
    /// replaced.
    ///
    /// Setting a value keeps the entry's position, or appends a new entry. Setting `nil` removes the entry.
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

    /// Returns the value of a key; `nil` if the key is absent or has no value.
    public func bytes(for key: String) -> [UInt8]? {
        entries.first { $0.key.equalsFoldingASCII(key) }?.value
    }

    /// Returns whether the key is present, with or without a value.
    public func contains(_ key: String) -> Bool {
        entries.contains { $0.key.equalsFoldingASCII(key) }
    }

    /// Sets the value of a key, or with `nil` a key without a value. Keeps the entry's position, or appends a new
    /// entry.
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
