internal import HAP
internal import HAPCatalog
internal import HAPServer

extension Simulator {
    /// The accessories' names by serial number.
    nonisolated var names: [String: String] {
        let accessories = descriptions.lazy.flatMap(\.accessories).map { ($0.key, $0.information.name) }
        return Dictionary(accessories) { first, _ in first }
    }

    /// Returns summaries of all accessories.
    func summaries() async -> [AccessorySummary] {
        var summaries: [AccessorySummary] = []
        for description in descriptions {
            for accessory in description.accessories {
                summaries.append(await summary(of: accessory, in: description))
            }
        }
        return summaries
    }

    /// Returns an accessory with everything that controllers can read.
    ///
    /// - Parameter name: The name or the serial number.
    func detail(of name: String) async throws(SimulatorError) -> AccessoryDetail {
        let (description, accessory) = try hosted(name)
        guard let server = serverOfAccessory[accessory.key], let hosted = await server.hosted(accessory.key) else {
            throw SimulatorError(.notFound, reason: "'\(name)' is not running")
        }
        return AccessoryDetail(
            summary: await summary(of: accessory, in: description),
            aid: hosted.attributes.aid,
            services: zip(hosted.services, hosted.attributes.services).map { key, service in
                ServiceDetail(
                    key: key,
                    type: service.type.description,
                    iid: service.iid,
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    linked: service.linked,
                    characteristics: service.characteristics.map(CharacteristicDetail.init)
                )
            }
        )
    }

    /// Returns a characteristic with its current value.
    func detail(of address: CharacteristicAddress) async throws(SimulatorError) -> CharacteristicDetail {
        guard let hosted = await serverOfAccessory[address.accessory]?.hosted(address.accessory),
            let index = hosted.services.firstIndex(of: address.service),
            let found = hosted.attributes.services[index].characteristics.first(where: { $0.type == address.type })
        else { throw SimulatorError(.notFound, reason: "No running accessory has \(address)") }
        return CharacteristicDetail(found)
    }

    private func summary(
        of accessory: HostedAccessory,
        in description: AccessoryDescription
    ) async -> AccessorySummary {
        var summary = AccessorySummary(name: accessory.information.name, serialNumber: accessory.key)
        let primary = description.accessories.first?.key
        guard accessory.key == primary else {
            summary.bridge = primary
            return summary
        }
        summary.category = description.category.description
        guard let server = serverOfAccessory[accessory.key] else { return summary }
        summary.id = server.deviceID.description
        summary.port = await server.port
        summary.isPaired = await server.isPaired
        summary.configurationNumber = await server.configurationNumber
        summary.setupCode = server.setupCode.dashed
        summary.setupPayload = server.setupPayload.uri
        return summary
    }
}

extension CharacteristicDetail {
    fileprivate init(_ attributes: CharacteristicAttributes) {
        self.init(
            name: attributes.type.description,
            type: attributes.type,
            iid: attributes.iid,
            permissions: attributes.permissions,
            metadata: attributes.metadata,
            value: attributes.value
        )
    }
}
