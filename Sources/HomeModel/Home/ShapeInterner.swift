import HAPCatalog

/// Finds the one shape for equal services, among those of a home and those that a change is about to add.
struct ShapeInterner {
    private let shapes: RecordList<ShapeRecord>
    private var found: [[ServiceShape]: ShapeID] = [:]

    /// The shapes that were not in the home, in the order in which they came up.
    private(set) var added: [ShapeRecord] = []

    init(shapes: RecordList<ShapeRecord>) {
        self.shapes = shapes
    }

    /// The identity of the shape of some services.
    mutating func shape(of services: [ServiceShape]) -> ShapeID {
        if let id = found[services] { return id }
        var shape = ShapeRecord(services: services)
        // Two contents of one digest would have to be made on purpose; even so neither is taken for the other.
        while let other = shapes[id: shape.id] ?? added.first(where: { $0.id == shape.id }), other.services != services
        {
            shape.id.rawValue += "-"
        }
        if !shapes.contains(id: shape.id) { added.append(shape) }
        found[services] = shape.id
        return shape.id
    }
}
