import Foundation

extension Home {
    func addServiceGroup(_ id: UUID, name: String) throws(HomeError) -> Change {
        try checkIsNew(id)
        try checkName(name)
        try checkLimit(serviceGroups.count < HomeLimits.serviceGroupsPerHome, HomeLimits.serviceGroupsPerHome, "groups")
        let group = ServiceGroupRecord(id: id, name: name)
        return Change(verb: .serviceGroupAdded, subjects: [id], effects: [.put(.serviceGroup(group))])
    }

    func removeServiceGroup(_ id: UUID) throws(HomeError) -> Change {
        _ = try serviceGroup(id)
        return Change(verb: .serviceGroupRemoved, subjects: [id], effects: [.remove(RecordID(.serviceGroup, id))])
    }

    func renameServiceGroup(_ id: UUID, name: String) throws(HomeError) -> Change? {
        var group = try serviceGroup(id)
        try checkName(name) { $0 == .serviceGroup(id) }
        guard group.name != name else { return nil }
        group.name = name
        return Change(verb: .serviceGroupRenamed, subjects: [id], effects: [.put(.serviceGroup(group))])
    }

    func addService(_ identity: ServiceIdentity, toGroup id: UUID) throws(HomeError) -> Change {
        var group = try serviceGroup(id)
        guard service(identity) != nil else {
            let reason = "There is no service \(identity.service) in the home."
            throw HomeError(.notFound, reason, about: .service(nil, of: identity.accessory))
        }
        guard !group.services.contains(identity) else {
            let reason = "The service is already in the group \(group.name.quoted)."
            throw HomeError(.alreadyInGroup, reason, about: .group(id, group.name))
        }
        guard group.services.count < HomeLimits.servicesPerGroup else {
            let limit = HomeLimits.servicesPerGroup
            throw HomeError(.limitExceeded, "A group has at most \(limit) services.", limit: limit)
        }
        group.services.append(identity)
        return Change(
            verb: .serviceGroupServiceAdded,
            subjects: [id, identity.accessory, identity.service],
            effects: [.put(.serviceGroup(group))]
        )
    }

    func removeService(_ identity: ServiceIdentity, fromGroup id: UUID) throws(HomeError) -> Change {
        var group = try serviceGroup(id)
        guard group.services.contains(identity) else {
            let reason = "The service is not in the group \(group.name.quoted)."
            throw HomeError(.notInGroup, reason, about: .group(id, group.name))
        }
        group.services.removeAll { $0 == identity }
        return Change(
            verb: .serviceGroupServiceRemoved,
            subjects: [id, identity.accessory, identity.service],
            effects: [.put(.serviceGroup(group))]
        )
    }

    private func serviceGroup(_ id: UUID) throws(HomeError) -> ServiceGroupRecord {
        guard let group = serviceGroups[id: id] else {
            throw HomeError(.notFound, "There is no service group \(id) in the home.", about: .group(id))
        }
        return group
    }
}
