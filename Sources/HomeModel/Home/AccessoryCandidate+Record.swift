import Foundation
import HAPCatalog

extension AccessoryCandidate {
    /// Returns the record of an accessory that is new to the home.
    ///
    /// - Parameter name: The name that the user chose; `nil` to derive one from the accessory's reported name and
    ///   model.
    func record(
        named name: String? = nil,
        by generator: inout NameGenerator,
        shapes: inout ShapeInterner,
        server: String,
        room: UUID,
        bridge: UUID?,
        isBridge: Bool
    ) -> AccessoryRecord {
        let information = information.bounded
        let services = services.map(\.bounded)
        if let name { generator.use(name) }
        return AccessoryRecord(
            id: id,
            name: name ?? generator.name(reported: reportedName, model: information.model),
            reportedName: reportedName.reportedText(length: HomeLimits.reportedTextLength),
            room: room,
            server: server,
            aid: aid,
            bridge: bridge,
            isBridge: isBridge,
            category: category ?? (isBridge ? .bridge : AccessoryCategory(suggestedBy: services)),
            information: information,
            shape: shapes.shape(of: services)
        )
    }

    /// Throws if the accessories contradict each other or exceed ``HomeLimits``.
    static func check(_ candidates: [AccessoryCandidate]) throws(HomeError) {
        guard candidates.count <= HomeLimits.accessoriesPerServer else {
            throw HomeError(
                .limitExceeded,
                "One accessory server has at most \(HomeLimits.accessoriesPerServer) accessories."
            )
        }
        var ids: Set<UUID> = []
        var aids: Set<UInt64> = []
        for candidate in candidates {
            guard ids.insert(candidate.id).inserted else {
                throw HomeError(.invalidParameter, "Two accessories have the ID \(candidate.id).")
            }
            guard aids.insert(candidate.aid).inserted else {
                throw HomeError(.invalidAccessory, "Two accessories of one server have the aid \(candidate.aid).")
            }
            try candidate.checkServices()
        }
    }

    private func checkServices() throws(HomeError) {
        guard services.count <= HomeLimits.servicesPerAccessory else {
            throw HomeError(
                .limitExceeded,
                "The accessory \(aid) has more than \(HomeLimits.servicesPerAccessory) services."
            )
        }
        var iids: Set<UInt64> = []
        for service in services {
            guard service.characteristics.count <= HomeLimits.characteristicsPerService else {
                throw HomeError(
                    .limitExceeded,
                    "The service \(service.iid) of the accessory \(aid) has more than "
                        + "\(HomeLimits.characteristicsPerService) characteristics."
                )
            }
            for iid in [service.iid] + service.characteristics.map(\.iid) {
                guard iids.insert(iid).inserted else {
                    throw HomeError(.invalidAccessory, "The accessory \(aid) has the iid \(iid) twice.")
                }
            }
        }
    }
}

extension [AccessoryCandidate] {
    /// The server's own accessory, which is the bridge if there are others: the one with the aid that HAP reserves for
    /// it, otherwise the one with the lowest aid.
    var primary: AccessoryCandidate? {
        first { $0.aid == HAPLimits.primaryAccessoryID } ?? self.min { $0.aid < $1.aid }
    }
}
