import Foundation

extension ShapeRecord {
    /// Makes the record of a shape; the id is a digest of the services.
    package init(services: [ServiceShape]) {
        // Services that JSON cannot write have no finite bounds; they cannot be stored either.
        let content = (try? CanonicalJSON.encode(services)) ?? []
        self.init(id: ShapeID(rawValue: SHA1.digest(content).hexText), services: services)
    }
}
