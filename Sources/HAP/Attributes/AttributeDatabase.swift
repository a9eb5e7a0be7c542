/// The accessory attribute database: all accessories, services and characteristics of one accessory server, as returned
/// by `GET /accessories`. Source: HAP specification 6.6.
public struct AttributeDatabase: Hashable, Sendable {
    /// The accessories. The primary accessory or the bridge comes first.
    public var accessories: [AccessoryAttributes]

    /// Creates a database.
    public init(accessories: [AccessoryAttributes]) {
        self.accessories = accessories
    }

    /// Decodes the body of a response to `GET /accessories`.
    ///
    /// Decoding is lenient, because accessories on the market aren't strict:
    ///
    /// - Types may be in their short or long form, and whole numbers may be written as `1.0`.
    /// - Unknown keys and trailing commas are ignored.
    /// - Metadata of the wrong kind counts as absent. A missing format or missing permissions come from the catalog
    ///   (for an unknown type, the format is `other("")`).
    /// - A value that doesn't fit its format is preserved as received.
    /// - A service or characteristic without its ID, type or list is skipped.
    ///
    /// - Throws: ``AttributeDecodingError`` if the body is not JSON, or no element of a list can be read.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        let root = try AttributeObject(parsing: body, from: .accessory)
        accessories = try root.readableList(AttributeKey.accessories, AccessoryAttributes.init(decoding:))
    }

    /// Returns the body of a response to `GET /accessories`.
    /// - Parameter includingValues: Whether to include values and subscriptions. Without them, the result changes only
    ///   with the structure, so that its hash shows whether the configuration number must increase.
    public func encoded(includingValues: Bool = true) -> [UInt8] {
        var ranges: [Range<Int>] = []
        return Self.encoded(accessories.map { $0.encoded(includingValues: includingValues) }, ranges: &ranges)
    }

    /// Returns the body of a response to `GET /accessories`, composed of accessories that are already encoded.
    ///
    /// - Parameter ranges: Receives the range of each accessory in the body. A caller that keeps the body replaces only
    ///   the accessories that change.
    package static func encoded(_ accessories: [[UInt8]], ranges: inout [Range<Int>]) -> [UInt8] {
        // Room for the accessories with their commas, and for the object around them.
        var writer = JSONWriter(capacity: accessories.reduce(envelopeLength) { $0 + $1.count + 1 })
        ranges = []
        ranges.reserveCapacity(accessories.count)
        writer.object { writer in
            writer.key(AttributeKey.accessories)
            writer.array { writer in
                for accessory in accessories {
                    writer.write(encoded: accessory)
                    ranges.append(writer.count - accessory.count..<writer.count)
                }
            }
        }
        return writer.bytes
    }

    /// The length of a body without accessories, which is at most this.
    private static let envelopeLength = 32
}
