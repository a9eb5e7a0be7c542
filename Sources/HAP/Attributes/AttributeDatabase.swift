/// The accessory attribute database: everything that one accessory server holds, as `GET /accessories` returns it.
/// Source: HAP specification 6.6.
public struct AttributeDatabase: Hashable, Sendable {
    /// The accessories, the primary one or the bridge first.
    public var accessories: [AccessoryAttributes]

    /// Creates a database.
    public init(accessories: [AccessoryAttributes]) {
        self.accessories = accessories
    }

    /// Reads the body of a response to `GET /accessories`.
    ///
    /// Lenient, for accessories on the market are not strict: types may be in their short or long form, unknown keys
    /// and trailing commas are passed over, metadata of the wrong kind is taken as absent, a format that is not stated
    /// is the catalog's (for an unknown type `other("")`), as are permissions, and a value that does not fit its format
    /// is kept as it came. Whole numbers may be written as `1.0`. A service or characteristic that lacks its ID, its type
    /// or its list is passed over, and the rest is taken.
    /// - Throws: What is wrong, and where, if the body is no JSON or nothing of a list can be read.
    public init(decoding body: [UInt8]) throws(AttributeDecodingError) {
        let root = try AttributeObject(parsing: body, from: .accessory)
        accessories = try root.readableList(AttributeKey.accessories, AccessoryAttributes.init(decoding:))
    }

    /// The body of a response to `GET /accessories`.
    /// - Parameter includingValues: Without values (and subscriptions) the result changes only with the structure: its
    ///   hash tells whether the configuration number has to rise.
    public func encoded(includingValues: Bool = true) -> [UInt8] {
        Self.encoded(accessories.lazy.map { $0.encoded(includingValues: includingValues) })
    }

    /// The body of a response to `GET /accessories`, put together of what `AccessoryAttributes.encoded` gives, so that
    /// who keeps that has to encode only the accessories that have changed.
    package static func encoded(_ accessories: some Sequence<[UInt8]>) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key(AttributeKey.accessories)
            writer.array { writer in
                for accessory in accessories { writer.write(encoded: accessory) }
            }
        }
        return writer.bytes
    }
}
