/// The services and characteristics of an accessory without what is one accessory's own (ids, names, values).
///
/// Shapes are interned: fifty lamps of one make share one. A shape that no accessory uses any more is removed.
package struct ShapeRecord: Hashable, Sendable, Codable, Identifiable {
    /// The digest of `services`.
    package var id: ShapeID
    /// The services in the accessory's order.
    package var services: [ServiceShape]

    /// Makes the record of a shape. `ShapeRecord(services:)` computes the id.
    package init(id: ShapeID, services: [ServiceShape]) {
        self.id = id
        self.services = services
    }
}
