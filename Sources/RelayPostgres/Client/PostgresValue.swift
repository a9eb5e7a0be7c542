import Foundation

/// A value that a statement takes, in PostgreSQL's binary format.
struct PostgresValue: Hashable, Sendable {
    /// The bytes.
    let bytes: Data

    private init(_ bytes: Data) {
        self.bytes = bytes
    }

    static func bytes(_ bytes: Data) -> PostgresValue { PostgresValue(bytes) }
    static func bytes(_ bytes: [UInt8]) -> PostgresValue { PostgresValue(Data(bytes)) }
    static func text(_ text: String) -> PostgresValue { PostgresValue(Data(text.utf8)) }
    static func number(_ number: Int64) -> PostgresValue { PostgresValue(data(of: number)) }
    static func uuid(_ id: UUID) -> PostgresValue { PostgresValue(withUnsafeBytes(of: id.uuid) { Data($0) }) }

    /// `bytea[]`.
    static func byteArrays(_ values: [Data]) -> PostgresValue { array(of: .bytea, values) }
    /// `bigint[]`.
    static func numbers(_ values: [Int64]) -> PostgresValue { array(of: .bigint, values.map(data)) }
    /// `boolean[]`.
    static func booleans(_ values: [Bool]) -> PostgresValue { array(of: .boolean, values.map { Data([$0 ? 1 : 0]) }) }

    /// The server's numbers of types.
    private enum ElementType: Int32 {
        case boolean = 16
        case bytea = 17
        case bigint = 20
    }

    /// An array has one dimension, no null, an element type, and a lower bound of 1; each element follows its length.
    private static func array(of type: ElementType, _ elements: [Data]) -> PostgresValue {
        var bytes = Data(capacity: 20 + elements.reduce(0) { $0 + 4 + $1.count })
        for number in [1, 0, type.rawValue, Int32(elements.count), 1] { bytes.append(data(of: number)) }
        for element in elements {
            bytes.append(data(of: Int32(element.count)))
            bytes.append(element)
        }
        return PostgresValue(bytes)
    }

    private static func data(of number: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }
}
