import HAPCatalog

/// Finds one shape for equal services, among the shapes of a home and those that a change is about to add. A shape is
/// the schema that accessories of one model share.
struct ShapeInterner {
    private let shapes: RecordList<ShapeRecord>
    private var found: [[ServiceShape]: ShapeID] = [:]

    /// The shapes that are new to the home, in the order in which they were requested.
    private(set) var added: [ShapeRecord] = []

    init(shapes: RecordList<ShapeRecord>) {
        self.shapes = shapes
    }

    /// Returns the ID of the shape of some services.
    mutating func shape(of services: [ServiceShape]) -> ShapeID {
        if let id = found[services] { return id }
        var shape = ShapeRecord(services: services)
        // A digest collision can only be deliberate. Even then, different services get different shapes.
        while let other = shapes[id: shape.id] ?? added.first(where: { $0.id == shape.id }), other.services != services
        {
            shape.id.rawValue += "-"
        }
        if !shapes.contains(id: shape.id) { added.append(shape) }
        found[services] = shape.id
        return shape.id
    }
}
