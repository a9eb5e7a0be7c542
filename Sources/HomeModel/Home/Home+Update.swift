import Foundation
import HAPCatalog

extension Home {
    /// Updates a server's accessories after they were read again. Known accessories get their new services and
    /// information, new ones are added to the default room, and missing ones become absent but keep their names and
    /// rooms.
    func updateAccessories(_ candidates: [AccessoryCandidate], server: String) throws(HomeError) -> Change? {
        let known = accessories(onServer: server)
        guard let first = known.first else {
            throw HomeError(.notFound, "No accessory of \(server.abbreviated) is in the home.")
        }
        guard !candidates.isEmpty else {
            throw HomeError(.invalidAccessory, "The server \(server.abbreviated) no longer has any accessories.")
        }
        try AccessoryCandidate.check(candidates)
        let knownAIDs = Set(known.map(\.aid))
        let additions = candidates.filter { !knownAIDs.contains($0.aid) }
        try checkRoom(forMore: additions.count)
        for candidate in additions { try checkIsNew(candidate.id) }

        let bridge = known.first { $0.bridge == nil } ?? first
        var generator = NameGenerator(names: names)
        var interner = ShapeInterner(shapes: shapes)
        var changed: [AccessoryRecord] = []
        let candidatesByAID = Dictionary(uniqueKeysWithValues: candidates.map { ($0.aid, $0) })
        for var accessory in known {
            let candidate = candidatesByAID[accessory.aid]
            if let candidate { update(&accessory, by: candidate, &interner) }
            accessory.isAbsent = candidate == nil
            if accessory.id == bridge.id, known.count + additions.count > 1 { accessory.isBridge = true }
            if accessory != accessories[id: accessory.id] { changed.append(accessory) }
        }
        for candidate in additions {
            var addition = candidate.record(
                by: &generator,
                shapes: &interner,
                server: server,
                room: defaultRoom,
                bridge: bridge.id,
                isBridge: false
            )
            addition.isBlocked = bridge.isBlocked
            changed.append(addition)
        }
        guard !changed.isEmpty else { return nil }
        return Change(
            verb: .accessoriesUpdated,
            subjects: changed.map(\.id),
            effects: interner.added.map { .put(.shape($0)) } + changed.map { .put(.accessory($0)) }
                + removalOfShapes(replaced: changed.compactMap { accessories[id: $0.id] }, by: changed)
        )
    }

    private func update(
        _ accessory: inout AccessoryRecord,
        by candidate: AccessoryCandidate,
        _ interner: inout ShapeInterner
    ) {
        accessory.information = candidate.information.bounded
        let services = candidate.services.map(\.bounded)
        if let category = candidate.category {
            accessory.category = category
        } else if accessory.bridge != nil {
            accessory.category = AccessoryCategory(suggestedBy: services)
        }
        let known = self.services(of: accessory)
        guard services != known else { return }
        Renumbering(from: known, to: services, accessory: accessory).carry(into: &accessory)
        accessory.shape = interner.shape(of: services)
    }
}
