/// An accessory in the attribute database.
public struct AccessoryAttributes: Hashable, Sendable {
    /// The accessory's instance ID.
    public var aid: UInt64
    /// The services, including Accessory Information.
    public var services: [ServiceAttributes]

    /// Creates an accessory.
    public init(aid: UInt64, services: [ServiceAttributes]) {
        self.aid = aid
        self.services = services
    }

    init(decoding object: AttributeObject) throws(AttributeDecodingError) {
        aid = try object.id(AttributeKey.aid)
        services = try object.readableList(AttributeKey.services, ServiceAttributes.init(decoding:))
        // Some accessories link to services that they don't have.
        let ids = Set(services.map(\.iid))
        for index in services.indices { services[index].linked.removeAll { !ids.contains($0) } }
    }

    /// Returns the accessory's JSON object in the body of a response to `GET /accessories`.
    package func encoded(includingValues: Bool = true) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(AttributeKey.aid, aid)
            writer.key(AttributeKey.services)
            writer.array { writer in
                for service in services { service.encode(to: &writer, includingValues: includingValues) }
            }
        }
        return writer.bytes
    }
}
