import HAPCatalog

/// The place of a service in what people see.
package enum ServiceRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is shown by itself.
    case tile
    /// It is shown with another service of its accessory.
    case part
    /// It isn't shown.
    case background
}

extension [ServiceShape] {
    /// Returns the role of one of these services, which are those of an accessory.
    ///
    /// A linked service is part of the service that links to it, unless both are of one kind, such as two outlets. A
    /// speaker belongs to the accessory's television, camera or doorbell, and an accessory has one camera.
    package func role(of service: ServiceShape) -> ServiceRole {
        let kind = ServiceKind(service.type)
        guard !service.isHidden else { return .background }
        guard kind.role == .tile else { return kind.role }
        let tiles = filter { !$0.isHidden && ServiceKind($0.type).role == .tile }
        if kind == .speaker,
            tiles.contains(where: { [.television, .camera, .doorbell].contains(ServiceKind($0.type)) })
        {
            return .part
        }
        if kind == .camera, tiles.first(where: { ServiceKind($0.type) == .camera })?.iid != service.iid { return .part }
        let isLinked = tiles.contains { other in
            other.iid != service.iid && other.linked.contains(service.iid) && ServiceKind(other.type) != kind
                && !service.linked.contains(other.iid)
        }
        return isLinked && !service.isPrimary ? .part : .tile
    }

    /// The services that are shown by themselves, in their order.
    package var tiles: [ServiceShape] { filter { role(of: $0) == .tile } }
}

extension Home {
    /// Returns the kind of a service: that of its associated type if it has one, otherwise that of its own.
    package static func kind(of service: ServiceShape, in accessory: AccessoryRecord) -> ServiceKind {
        ServiceKind(effectiveType(of: service, in: accessory))
    }
}
