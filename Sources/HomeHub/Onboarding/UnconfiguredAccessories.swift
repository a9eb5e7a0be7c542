import DNSSD
import Foundation
import HAP
import HAPClient
import HubAPI
import WirelessSetup

/// The accessories that wait for their configuration, as they advertise themselves in their own network.
struct UnconfiguredAccessories {
    /// An accessory that waits for its configuration.
    struct Accessory {
        /// The ID for clients, which stays the same while the hub runs.
        var id: UUID
        /// The name that the accessory advertises.
        var name: String
        /// What it advertises.
        var advertisement: SetupAdvertisement
        /// Its addresses in its own network.
        var addresses: [AccessoryAddress]
    }

    /// The maximum number of accessories to list. Any device in a network can announce very many.
    static let maximumFound = 256
    /// The number of IDs to remember. Beyond it, the IDs of accessories that are gone are dropped.
    private static let rememberedIDs = 1_024

    private var found: [ServiceInstance: Accessory] = [:]
    private var ids: [DeviceID: UUID] = [:]

    /// The accessories in the order of their names.
    var list: [Accessory] {
        let accessories = Dictionary(found.values.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return accessories.values.sorted { $0.name < $1.name }
    }

    /// The accessory with an ID.
    subscript(id: UUID) -> Accessory? { found.values.first { $0.id == id } }

    /// Adds or changes an accessory.
    ///
    /// - Parameter kept: The accessories whose IDs are still needed when they are gone.
    /// - Returns: The accessory, and the ID of another that it replaces; `nil` if there are too many accessories.
    mutating func update(
        _ instance: ServiceInstance,
        _ advertisement: SetupAdvertisement,
        at addresses: [AccessoryAddress],
        keeping kept: some Collection<DeviceID>
    ) -> (accessory: Accessory, lost: UUID?)? {
        guard found[instance] != nil || found.count < Self.maximumFound else { return nil }
        var lost: UUID?
        if let previous = found[instance], previous.advertisement.deviceID != advertisement.deviceID {
            lost = remove(instance)
        }
        let accessory = Accessory(
            id: id(of: advertisement.deviceID, keeping: kept),
            name: instance.name,
            advertisement: advertisement,
            addresses: addresses
        )
        found[instance] = accessory
        return (accessory, lost)
    }

    /// Removes what an instance advertised.
    ///
    /// - Returns: The accessory's ID; `nil` if it wasn't known, or is still advertised by another instance.
    mutating func remove(_ instance: ServiceInstance) -> UUID? {
        guard let lost = found.removeValue(forKey: instance), self[lost.id] == nil else { return nil }
        return lost.id
    }

    private mutating func id(of deviceID: DeviceID, keeping kept: some Collection<DeviceID>) -> UUID {
        if let id = ids[deviceID] { return id }
        if ids.count >= Self.rememberedIDs {
            let needed = Set(found.values.map(\.advertisement.deviceID)).union(kept)
            ids = ids.filter { needed.contains($0.key) }
        }
        let id = UUID()
        ids[deviceID] = id
        return id
    }
}

extension UnconfiguredAccessories.Accessory {
    /// The accessory as clients see it.
    var listed: UnconfiguredAccessory {
        let words: [(SetupAdvertisement.Features, String)] = [
            (.airPlay, UnconfiguredAccessory.airPlay), (.airPrint, UnconfiguredAccessory.airPrint),
            (.homeKit, UnconfiguredAccessory.homeKit),
        ]
        return UnconfiguredAccessory(
            id: id,
            name: name,
            manufacturer: advertisement.manufacturer,
            model: advertisement.model,
            network: advertisement.network,
            macAddress: advertisement.deviceID.description,
            supports: words.filter { advertisement.features.contains($0.0) }.map(\.1)
        )
    }
}
