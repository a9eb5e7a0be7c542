/// A shape: the schema of services and characteristics that accessories of one model share, without their own IDs,
/// names and values.
///
/// Shapes are interned, so that fifty lamps of one model share one. A shape is removed when no accessory uses it.
package struct ShapeRecord: Hashable, Sendable, Codable, Identifiable {
    /// The digest of `services`.
    package var id: ShapeID
    /// The services in the accessory's order.
    package var services: [ServiceShape]

    /// Creates the record of a shape. `ShapeRecord(services:)` computes the ID.
    package init(id: ShapeID, services: [ServiceShape]) {
        self.id = id
        self.services = services
    }
}
