/// A domain name: labels of bytes. Two names are equal if they differ only in the case of ASCII letters.
struct DomainName: Hashable, Sendable, CustomStringConvertible {
    /// The labels, each with its length byte, without the final zero of the root.
    ///
    /// No length byte is an ASCII letter, so the bytes can be folded without separating lengths from text.
    let wire: [UInt8]

    /// The empty name.
    static let root = DomainName(wire: [])

    /// Creates a name from encoded labels that were already checked.
    init(wire: [UInt8]) {
        self.wire = wire
    }

    /// Creates a name from labels.
    init(labels: some Sequence<some Collection<UInt8>>) throws(DNSMessageError) {
        var wire: [UInt8] = []
        for label in labels {
            guard (1...DNSFormat.maximumLabelSize).contains(label.count) else { throw .labelSize }
            wire.append(UInt8(label.count))
            wire.append(contentsOf: label)
        }
        guard wire.count < DNSFormat.maximumNameSize else { throw .nameTooLong }
        self.wire = wire
    }

    /// Creates a name from strings.
    init(_ labels: String...) throws(DNSMessageError) {
        try self.init(labels: labels.map(\.utf8))
    }

    /// Creates a name from a label and a parent name.
    init(_ label: String, under parent: DomainName) throws(DNSMessageError) {
        guard (1...DNSFormat.maximumLabelSize).contains(label.utf8.count) else { throw .labelSize }
        let wire = [UInt8(label.utf8.count)] + label.utf8 + parent.wire
        guard wire.count < DNSFormat.maximumNameSize else { throw .nameTooLong }
        self.wire = wire
    }

    /// The bytes of the first label; `nil` for the root.
    var firstLabel: ArraySlice<UInt8>? {
        wire.first.map { wire.dropFirst().prefix(Int($0)) }
    }

    /// The name without its first label; `nil` for the root.
    var parent: DomainName? {
        wire.first.map { DomainName(wire: Array(wire.dropFirst(1 + Int($0)))) }
    }

    /// The labels in order.
    var labels: [ArraySlice<UInt8>] {
        Array(
            sequence(state: wire[...]) { rest in
                guard let size = rest.first else { return nil }
                defer { rest = rest.dropFirst(1 + Int(size)) }
                return rest.dropFirst().prefix(Int(size))
            }
        )
    }

    static func == (left: DomainName, right: DomainName) -> Bool {
        left.wire.count == right.wire.count
            && left.wire.elementsEqual(right.wire) { $0.foldedASCII == $1.foldedASCII }
    }

    func hash(into hasher: inout Hasher) {
        var word: UInt64 = 0
        var filled = 0
        for byte in wire {
            word = word << 8 | UInt64(byte.foldedASCII)
            filled += 1
            if filled == MemoryLayout<UInt64>.size {
                hasher.combine(word)
                (word, filled) = (0, 0)
            }
        }
        hasher.combine(word)
    }

    /// The labels, joined by dots. Dots and backslashes within a label are escaped with a backslash.
    var description: String {
        labels.map { label in
            String(decoding: label, as: UTF8.self)
                .replacing("\\", with: "\\\\").replacing(".", with: "\\.")
        }
        .joined(separator: ".")
    }
}
