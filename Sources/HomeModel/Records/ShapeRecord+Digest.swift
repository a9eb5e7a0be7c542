import Foundation

extension ShapeRecord {
    /// Creates the record of a shape, with a digest of the services as its ID.
    package init(services: [ServiceShape]) {
        // Services that JSON can't represent have bounds that aren't finite, and can't be stored either.
        let content = (try? CanonicalJSON.encode(services)) ?? []
        self.init(id: ShapeID(rawValue: SHA1.digest(content).hexText), services: services)
    }
}
