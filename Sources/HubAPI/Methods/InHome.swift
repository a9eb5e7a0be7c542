package import Foundation
package import HomeModel

/// A request in a home: the parameters of a method that changes the home. On the wire, the home is one more member of the
/// request.
package struct InHome<Request: HomeRequest & Codable>: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The request.
    package var request: Request

    private enum CodingKeys: String, CodingKey {
        case home
    }

    /// Creates the parameters.
    package init(_ home: UUID, _ request: Request) {
        self.home = home
        self.request = request
    }

    /// Decodes the home, and the request from the same object.
    package init(from decoder: any Decoder) throws {
        home = try decoder.container(keyedBy: CodingKeys.self).decode(UUID.self, forKey: .home)
        request = try Request(from: decoder)
    }

    /// Encodes the home and the request's members as one object.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(home, forKey: .home)
        try request.encode(to: encoder)
    }
}
