package import Foundation

/// A service or a scene that a user wants at hand.
package enum Favorite: Hashable, Sendable {
    /// A service of an accessory.
    case service(ServiceIdentity)
    /// An action set.
    case actionSet(UUID)

    /// The accessory or the action set. If it is removed, so is the favorite.
    package var object: UUID {
        switch self {
        case .service(let service): service.accessory
        case .actionSet(let id): id
        }
    }
}

extension Favorite: Codable {
    private enum Key: String, CodingKey {
        case actionSet
    }

    /// Decodes an object with the member `actionSet`, or with the members of a ``ServiceIdentity``.
    package init(from decoder: any Decoder) throws {
        if let id = try decoder.container(keyedBy: Key.self).decodeIfPresent(UUID.self, forKey: .actionSet) {
            self = .actionSet(id)
        } else {
            self = .service(try ServiceIdentity(from: decoder))
        }
    }

    /// Encodes the favorite as it is decoded.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .service(let service):
            try service.encode(to: encoder)
        case .actionSet(let id):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(id, forKey: .actionSet)
        }
    }
}
